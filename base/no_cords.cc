// What absl::Status needs of absl::Cord, for programs that have no cords.
//
// A status may carry payloads, which are cords, and so whoever links
// absl::Status gets the whole of absl::Cord: 340 KB with its sampling, mutexes,
// time zones and symbolizer, where the archives of abseil are not built with a
// section for each function. opcompat attaches no payload in what devices run.
// These definitions stand for those of cord.cc and cordz_info.cc, which are
// then not taken out of their archives; as long as nobody makes a cord none of
// them is ever called.
//
// A program that does make one needs more of cord.cc than this, takes it out of
// the archive, and does not link: the functions here are then defined twice.
// That is wanted; docs/device.md says when to link this file.

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "absl/strings/cord.h"
#include "absl/strings/internal/cordz_info.h"

namespace {

[[noreturn]] void NoCords() {
  std::fputs(
      "This program was linked with //base:no_cords and has no absl::Cord, but "
      "something uses one: a payload of an absl::Status, probably. Link it "
      "without //base:no_cords.\n",
      stderr);
  std::abort();
}

}  // namespace

void absl::Cord::DestroyCordSlow() { NoCords(); }

void absl::Cord::InlineRep::UnrefTree() { NoCords(); }

bool absl::Cord::EqualsImpl(const Cord&, size_t) const { NoCords(); }

absl::Cord::operator std::string() const {
  // Somebody may set a payload that says all by being there.
  if (empty()) return std::string();
  NoCords();
}

void absl::cord_internal::CordzInfo::MaybeTrackCordImpl(InlineData&,
                                                        const InlineData&,
                                                        MethodIdentifier) {
  NoCords();
}
