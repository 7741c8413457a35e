#include "ir/huge_pages.h"

#include <cstdint>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace opcompat {

void AdviseHugePages(void* begin, size_t num_bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr uintptr_t kHugePage = uintptr_t{2} << 20;
  const auto first = reinterpret_cast<uintptr_t>(begin);
  const uintptr_t aligned = (first + kHugePage - 1) & ~(kHugePage - 1);
  const uintptr_t end = (first + num_bytes) & ~(kHugePage - 1);
  if (aligned >= end) return;
  // Of no consequence if it fails.
  (void)madvise(reinterpret_cast<void*>(aligned), end - aligned,
                MADV_HUGEPAGE);
#else
  (void)begin;
  (void)num_bytes;
#endif
}

}  // namespace opcompat
