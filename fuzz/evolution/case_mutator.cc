#include "fuzz/evolution/case_mutator.h"

#include <cstddef>
#include <cstdint>
#include <random>

#include "fuzz/evolution/case_maker.h"
#include "fuzz/proto_mutator.h"

namespace opcompat {
namespace fuzz {
namespace {

using google::protobuf::RepeatedPtrField;

class Mutator {
 public:
  explicit Mutator(unsigned int seed) : random_(seed) {}

  void Mutate(Case* input) {
    // Histories cost more than modules, and more hangs on them: so they change
    // less often.
    const uint32_t what = Below(24);
    if (what == 0) {
      MutateMessage(*input, Bits());
    } else if (what <= 2) {
      MutateHistory(input->mutable_history());
    } else if (what <= 8) {
      input->set_writer(Below(kMaxVersions));
      input->set_reader(Below(kMaxVersions));
      input->set_for_target(Below(4) == 0);
    } else {
      MutateNodes(input->mutable_nodes(), kMaxDepth);
    }
  }

  Case CrossOver(const Case& a, const Case& b) {
    Case child = a;
    switch (Below(3)) {
      case 0:
        *child.mutable_history() = b.history();
        break;
      case 1:
        TakeSome(b.nodes(), child.mutable_nodes());
        break;
      case 2:
        TakeSome(b.history().operators(),
                 child.mutable_history()->mutable_operators());
        TakeSome(b.history().versions(),
                 child.mutable_history()->mutable_versions());
        break;
    }
    return child;
  }

 private:
  uint32_t Bits() { return static_cast<uint32_t>(random_()); }
  uint32_t Below(uint32_t n) { return Bits() % n; }
  template <typename T>
  T* Any(RepeatedPtrField<T>* elements) {
    return elements->Mutable(
        static_cast<int>(Below(static_cast<uint32_t>(elements->size()))));
  }

  template <typename T>
  void TakeSome(const RepeatedPtrField<T>& from, RepeatedPtrField<T>* to) {
    for (int i = 0; i < from.size(); ++i) {
      if (Below(2) == 0) continue;
      if (i < to->size() && Below(2) == 0) {
        *to->Mutable(i) = from[i];
      } else {
        *to->Add() = from[i];
      }
    }
  }

  template <typename T>
  void RemoveOne(RepeatedPtrField<T>* elements) {
    elements->DeleteSubrange(
        static_cast<int>(Below(static_cast<uint32_t>(elements->size()))), 1);
  }

  void Throw(Dice* dice) {
    // One die among those that matter most, or all that come after them.
    if (dice->shown_size() > 0 && Below(2) == 0) {
      dice->set_shown(
          static_cast<int>(Below(static_cast<uint32_t>(dice->shown_size()))),
          Below(64));
    } else if (Below(2) == 0) {
      dice->add_shown(Below(64));
    } else {
      dice->set_seed(Bits());
    }
  }

  void MutateHistory(History* history) {
    switch (Below(4)) {
      case 0:
        MutateOperators(history->mutable_operators());
        return;
      case 1:
        if (history->versions_size() > 1 && Below(2) == 0) {
          RemoveOne(history->mutable_versions());
          return;
        }
        if (history->versions_size() < kMaxVersions - 1) {
          AddStep(history->add_versions());
          return;
        }
        break;
      default:
        break;
    }
    if (history->versions_size() == 0) {
      AddStep(history->add_versions());
    } else {
      MutateVersion(Any(history->mutable_versions()));
    }
  }

  void MutateOperators(RepeatedPtrField<Operator>* operators) {
    if (operators->size() < kMaxOperators && Below(2) == 0) {
      Operator* op = operators->Add();
      op->set_numbered(Below(4) == 0);
      op->mutable_dice()->set_seed(Bits());
    } else if (operators->size() > 1 && Below(3) == 0) {
      RemoveOne(operators);
    } else if (operators->size() > 0) {
      Throw(Any(operators)->mutable_dice());
    }
  }

  void AddStep(Version* version) {
    Step* step = version->add_steps();
    step->set_kind(Bits() % 256);
    step->set_op(Below(kMaxOperatorsAtAll));
    step->mutable_dice()->set_seed(Bits());
  }

  void MutateVersion(Version* version) {
    const uint32_t what = Below(8);
    if (what == 0) {
      version->set_gap(Below(2) == 0 ? 0 : 1 + Below(8));
    } else if (what <= 3 || version->steps_size() == 0) {
      AddStep(version);
    } else if (what == 4) {
      RemoveOne(version->mutable_steps());
    } else if (what == 5) {
      Any(version->mutable_steps())->set_kind(Bits() % 256);
    } else {
      Throw(Any(version->mutable_steps())->mutable_dice());
    }
  }

  void AddNode(RepeatedPtrField<Node>* nodes, int depth) {
    Node* node = nodes->Add();
    node->set_op(Below(kMaxOperatorsAtAll));
    for (uint32_t n = Below(6); n > 0; --n) node->add_ways(Below(8));
    node->mutable_dice()->set_seed(Bits());
    if (depth == 0 || Below(6) != 0) return;
    node->set_kind(1 + Below(2));
    AddNode(node->mutable_first_block(), depth - 1);
    if (Below(2) == 0) AddNode(node->mutable_second_block(), depth - 1);
  }

  void MutateNodes(RepeatedPtrField<Node>* nodes, int depth) {
    const uint32_t what = Below(8);
    if (nodes->empty() || (what < 2 && nodes->size() < kMaxNodes)) {
      AddNode(nodes, depth);
    } else if (what == 2) {
      RemoveOne(nodes);
    } else if (what == 3 && nodes->size() > 1) {
      nodes->SwapElements(0, nodes->size() - 1);
    } else {
      MutateNode(Any(nodes), depth);
    }
  }

  void MutateNode(Node* node, int depth) {
    if (node->kind() % 3 != 0 && depth > 0 && Below(2) == 0) {
      MutateNodes(Below(3) == 0 ? node->mutable_second_block()
                                : node->mutable_first_block(),
                  depth - 1);
      return;
    }
    switch (Below(5)) {
      case 0:
        node->set_op(Below(kMaxOperatorsAtAll));
        break;
      case 1:
        Throw(node->mutable_dice());
        break;
      case 2:
        if (Below(4) == 0) node->set_kind(Below(3));
        break;
      default:
        if (node->ways_size() == 0 || Below(4) == 0) {
          node->add_ways(Below(8));
        } else {
          node->set_ways(
              static_cast<int>(Below(static_cast<uint32_t>(node->ways_size()))),
              Below(8));
        }
        break;
    }
  }

  std::mt19937 random_;
};

}  // namespace

void MutateCase(Case* input, unsigned int seed) { Mutator(seed).Mutate(input); }

Case CrossOverCases(const Case& a, const Case& b, unsigned int seed) {
  return Mutator(seed).CrossOver(a, b);
}

}  // namespace fuzz
}  // namespace opcompat
