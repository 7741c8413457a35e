// Who owns the bytes of the tensors that are read: the lifetime of a module in
// one word.
#ifndef OPCOMPAT_DESERIALIZER_TENSOR_MEMORY_H_
#define OPCOMPAT_DESERIALIZER_TENSOR_MEMORY_H_

#include <memory>
#include <utility>

namespace opcompat {

// Large tensors lie in a file as they lie in memory, each at a multiple of 64,
// so they can be used where they are:
//
//   OPCOMPAT_ASSIGN_OR_RETURN(std::shared_ptr<const MappedFile> file,
//                             MappedFile::Open("net.opc"));
//   DeserializeOptions options;
//   options.tensors = TensorMemory::KeptBy(file);
//   ... Deserialize(file->bytes(), reader, options) ...
//   file = nullptr;  // the tensors of the module keep it
//
// A tensor's memory begins at a multiple of 64 in any case; of a view that
// holds if the bytes given begin at one, as those of a mapped file do. Small
// tensors (a writer decides by size) are always copies.
// Copyable.
class TensorMemory {
 public:
  // The default: each tensor is a copy, the bytes given may go away.
  static TensorMemory Copied() { return TensorMemory(); }
  // Large tensors are views of the bytes given, which live as long as `owner`,
  // and each holds a reference to it. Precondition: `owner` is not null.
  static TensorMemory KeptBy(std::shared_ptr<const void> owner) {
    TensorMemory memory;
    memory.owner_ = std::move(owner);
    memory.views_ = true;
    return memory;
  }
  // Large tensors are views of the bytes given, and the caller keeps those for
  // as long as the module or any copy of one of its values is used.
  static TensorMemory Borrowed() {
    TensorMemory memory;
    memory.views_ = true;
    return memory;
  }

  bool views() const { return views_; }
  const std::shared_ptr<const void>& owner() const { return owner_; }

 private:
  TensorMemory() = default;

  std::shared_ptr<const void> owner_;
  bool views_ = false;
};

}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_TENSOR_MEMORY_H_
