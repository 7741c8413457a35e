// How libFuzzer and AddressSanitizer are set for targets whose inputs run
// through most of the library: what they do for each allocation and each
// counter costs more than that. See libfuzzer_options.cc.

// Scheduling by entropy looks at each of some ten thousand counters again and
// again; smaller inputs in place of larger ones would be looked for in each,
// and merging does that at the end.
extern "C" const char* const* OpcompatFuzzerFlags() {
  static const char* const kFlags[] = {"-entropic=0", "-reduce_inputs=0",
                                       nullptr};
  return kFlags;
}

// Read by AddressSanitizer, if it is there; ASAN_OPTIONS wins. Stacks of
// allocations come back with ASAN_OPTIONS=malloc_context_size=30.
// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" const char* __asan_default_options() {
  return "malloc_context_size=1:quarantine_size_mb=16:max_malloc_fill_size=0:"
         "detect_stack_use_after_return=0";
}
