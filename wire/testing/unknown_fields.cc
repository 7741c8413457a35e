#include "wire/testing/unknown_fields.h"

#include <functional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "wire/testing/raw_fields.h"

namespace opcompat {

void ForEachAddedField(
    absl::string_view file, absl::string_view field,
    const std::function<void(const std::string&, const std::string&)>& visit) {
  ForEachMessage(
      file, [&](const std::vector<RawField>& fields, const std::string& name,
                const std::function<std::string(absl::string_view)>& with) {
        // The magic string is the first field of a file.
        for (size_t place = name == "Module"; place <= fields.size(); ++place) {
          std::string changed;
          for (size_t i = 0; i <= fields.size(); ++i) {
            if (i == place) absl::StrAppend(&changed, field);
            if (i < fields.size()) absl::StrAppend(&changed, fields[i].bytes);
          }
          visit(with(changed), absl::StrCat(name, " at field ", place));
        }
      });
}

}  // namespace opcompat
