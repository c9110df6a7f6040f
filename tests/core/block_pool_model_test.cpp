#include "../../core/block_pool.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "../support/failing_memory.hpp"
#include "../support/model_test.hpp"

namespace strata::test::block_pool_model_test {

using namespace detail;

namespace {

struct Piece {
  std::byte* begin;
  std::size_t bytes;
  std::size_t alignment;
  std::byte mark;
};

// The model: each piece is filled with its mark, so that two that overlap spoil one another.
Disagreement check_piece(const Piece& piece) {
  if (reinterpret_cast<std::uintptr_t>(piece.begin) % piece.alignment != 0) return "a piece is not aligned";
  for (std::size_t i = 0; i < piece.bytes; ++i) {
    if (piece.begin[i] != piece.mark) return "a piece was written by another";
  }
  return {};
}

class PoolModel {
 public:
  PoolModel(FailingMemory& memory, BlockPool& pool) : memory_(memory), pool_(pool) {}

  std::size_t size() const { return pieces_.size(); }

  Disagreement allocate(std::size_t size, std::size_t alignment) {
    std::byte* begin = nullptr;
    try {
      begin = static_cast<std::byte*>(pool_.allocate(size, alignment));
    } catch (const std::bad_alloc&) {
      return memory_.has_failed() ? check() : "the pool ran out of memory that there was";
    }
    const auto mark = static_cast<std::byte>(++marks_);
    std::memset(begin, static_cast<int>(mark), size);
    pieces_.push_back({begin, size, alignment, mark});
    in_use_ += BlockPool::rounded(size);
    return {};
  }

  void shrink() { pool_.shrink(); }

  Disagreement release(std::size_t which) {
    const Piece piece = pieces_[which];
    if (const Disagreement wrong = check_piece(piece)) return wrong;
    pool_.deallocate(piece.begin, piece.bytes, piece.alignment);
    pieces_[which] = pieces_.back();
    pieces_.pop_back();
    in_use_ -= BlockPool::rounded(piece.bytes);
    return {};
  }

  Disagreement check() const {
    if (pool_.bytes_in_use() != in_use_) return "bytes_in_use() is wrong";
    // Whatever happened before: a list of slabs and the newest of them.
    if (pieces_.empty() && memory_.blocks() > 2) return "an empty pool keeps more than one slab";
    if (const std::string broken = pool_.check_invariants(); !broken.empty()) return broken;
    return {};
  }

 private:
  FailingMemory& memory_;
  BlockPool& pool_;
  std::vector<Piece> pieces_;
  std::size_t in_use_ = 0;
  std::size_t marks_ = 0;
};

Disagreement turn_agrees(Bytes& bytes, Log& log, FailingMemory& memory, PoolModel& model) {
  Disagreement wrong;
  switch (bytes.below(5)) {
    case 0:
    case 1: {
      const std::size_t size = 1 + (bytes.chance(4) ? bytes.below(40'000) : bytes.below(2000));
      const std::size_t alignment = bytes.chance(8) ? 256 : BlockPool::kAlignment;
      const std::size_t count = bytes.chance(4) ? 1 + bytes.below(40) : 1;
      const std::size_t failing = bytes.chance(6) ? 1 + bytes.below(3) : 0;
      log("allocate ", count, " of ", size, " aligned to ", alignment, ", memory failing at ", failing);
      if (failing != 0) memory.fail_at(failing);
      for (std::size_t i = 0; i < count && !wrong; ++i) wrong = model.allocate(size, alignment);
      memory.never_fail();
      break;
    }
    case 2:
      if (model.size() == 0) break;
      log("deallocate one");
      wrong = model.release(bytes.below(model.size()));
      break;
    case 3: {
      const std::size_t parts = 1 + bytes.below(6);
      const std::size_t step = 1 + bytes.below(4);
      const std::size_t last = model.size() / parts;
      log("deallocate every ", step, ". of the oldest ", last);
      for (std::size_t i = last; i-- > 0 && !wrong;) {
        if (i % step == 0) wrong = model.release(i);
      }
      break;
    }
    case 4:
      log("shrink");
      model.shrink();
      break;
  }
  return wrong ? wrong : model.check();
}

Disagreement pieces_agree(Bytes& bytes, Log& log) {
  FailingMemory memory;
  {
    BlockPool pool(&memory);
    PoolModel model(memory, pool);
    while (bytes.turn()) {
      if (const Disagreement wrong = turn_agrees(bytes, log, memory, model)) return wrong;
    }
    while (model.size() != 0) {
      if (const Disagreement wrong = model.release(model.size() - 1)) return wrong;
    }
    if (const Disagreement wrong = model.check()) return wrong;
  }
  if (memory.blocks() != 0) return "the pool did not give its memory back";
  if (!memory.complaint().empty()) return memory.complaint();
  return {};
}

}  // namespace

TEST_SUITE("core/block_pool") {
  STRATA_MODEL_TEST("pieces never overlap and all memory goes back", pieces_agree, .runs = 60, .turns = 120);
}

}  // namespace strata::test::block_pool_model_test
