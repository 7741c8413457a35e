#include "deserializer/entry_fields.h"

namespace opcompat {
namespace decoding {
namespace {

// A message that is there twice is one, by protobuf's rules.
void ReadOrigin(FieldReader* outer, OriginFields* origin) {
  FieldReader fields(outer->Span(), "an origin");
  while (fields.Next()) {
    if (fields.number() == 1) origin->first = fields.Uint32();
    if (fields.number() == 2) origin->after = fields.Uint32();
  }
  if (!fields.status().ok()) outer->Fail("a malformed origin");
}

}  // namespace

absl::Status ReadFields(const FileSpan& span, EntryFields* entry) {
  FieldReader fields(span, "an operator");
  while (fields.Next()) {
    switch (fields.number()) {
      case 1:
        fields.AddTo(&entry->names);
        break;
      case 2:
        entry->history = fields.Uint32();
        break;
      case 3:
        ReadOrigin(&fields, &entry->origin);
        break;
      case 4:
        entry->revision = fields.Uint32();
        break;
      case 5:
        ReadOrigin(&fields, &entry->revision_origin);
        break;
      case 6:
        entry->arguments.push_back(fields.Span());
        break;
      case 7:
        entry->is_vararg = fields.Bool();
        break;
      case 8:
        entry->results.push_back(fields.Span());
        break;
      case 9:
        entry->is_varret = fields.Bool();
        break;
      case 10:
        entry->covered_marks.push_back(fields.Span());
        break;
      default:
        break;
    }
  }
  return fields.status();
}

absl::Status ReadFields(const FileSpan& span, ArgumentFields* argument) {
  FieldReader fields(span, "an argument");
  while (fields.Next()) {
    switch (fields.number()) {
      case 1:
        fields.AddTo(&argument->names);
        break;
      case 2:
        ReadOrigin(&fields, &argument->origin);
        break;
      case 3:
        argument->state = fields.Uint32();
        break;
      case 4:
        argument->type = fields.Uint32();
        break;
      case 5:
        argument->alias.push_back(fields.Span());
        break;
      case 6:
        argument->keyword_only = fields.Bool();
        break;
      case 7:
        argument->ignorable = fields.Bool();
        break;
      case 8:
        argument->equal_values.push_back(fields.Span());
        break;
      case 9:
        argument->default_value = fields.Uint32();
        break;
      case 10:
        argument->neutral = fields.Uint32();
        break;
      case 11:
        argument->neutral_type = fields.Uint32();
        break;
      case 12:
        argument->retired = fields.Uint32();
        break;
      case 13:
        argument->retired_type = fields.Uint32();
        break;
      default:
        break;
    }
  }
  return fields.status();
}

absl::Status ReadFields(const FileSpan& span, ResultFields* result) {
  FieldReader fields(span, "a result");
  while (fields.Next()) {
    switch (fields.number()) {
      case 1:
        result->name = fields.Uint32();
        break;
      case 2:
        result->type = fields.Uint32();
        break;
      case 3:
        result->alias.push_back(fields.Span());
        break;
      default:
        break;
    }
  }
  return fields.status();
}

absl::Status ReadFields(const FileSpan& span, AliasFields* alias) {
  FieldReader fields(span, "an alias annotation");
  while (fields.Next()) {
    switch (fields.number()) {
      case 1:
        alias->place = fields.Uint32();
        break;
      case 2:
        fields.AddTo(&alias->before);
        break;
      case 3:
        fields.AddTo(&alias->after);
        break;
      case 4:
        alias->write = fields.Bool();
        break;
      default:
        break;
    }
  }
  return fields.status();
}

}  // namespace decoding
}  // namespace opcompat
