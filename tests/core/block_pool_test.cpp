#include "../../core/block_pool.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "../support/failing_memory.hpp"
#include "../support/model_test.hpp"

using namespace strata;
using namespace strata::test;

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

Disagreement pieces_agree(Bytes& bytes, Log& log) {
  FailingMemory memory;
  {
    BlockPool pool(&memory);
    std::vector<Piece> pieces;
    std::size_t in_use = 0;
    const auto release = [&](std::size_t which) -> Disagreement {
      const Piece piece = pieces[which];
      if (const Disagreement wrong = check_piece(piece)) return wrong;
      pool.deallocate(piece.begin, piece.bytes, piece.alignment);
      pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(which));
      in_use -= BlockPool::rounded(piece.bytes);
      return {};
    };
    while (bytes.turn()) {
      if (bytes.below(5) < 3) {
        const std::size_t size = 1 + (bytes.chance(4) ? bytes.below(40'000) : bytes.below(2000));
        const std::size_t alignment = bytes.chance(8) ? 256 : BlockPool::kAlignment;
        log("allocate ", size, " aligned to ", alignment);
        const auto mark = static_cast<std::byte>(pieces.size() + 1);
        auto* begin = static_cast<std::byte*>(pool.allocate(size, alignment));
        std::memset(begin, static_cast<int>(mark), size);
        pieces.push_back({begin, size, alignment, mark});
        in_use += BlockPool::rounded(size);
      } else if (!pieces.empty()) {
        const std::size_t which = bytes.below(pieces.size());
        log("deallocate ", pieces[which].bytes);
        if (const Disagreement wrong = release(which)) return wrong;
      }
      if (pool.bytes_in_use() != in_use) return "bytes_in_use() is wrong";
      if (const std::string broken = pool.check_invariants(); !broken.empty()) return broken;
    }
    while (!pieces.empty()) {
      if (const Disagreement wrong = release(pieces.size() - 1)) return wrong;
    }
  }
  if (memory.blocks() != 0) return "the pool did not give its memory back";
  if (!memory.complaint().empty()) return memory.complaint();
  return {};
}

}  // namespace

TEST_SUITE("core/block_pool") {
  STRATA_MODEL_TEST("pieces never overlap and all memory goes back", pieces_agree, .runs = 60, .turns = 120);

  TEST_CASE("sizes are rounded up by at most a quarter, and a rounded size stays") {
    for (std::size_t bytes = 512; bytes < 40'000; bytes += 7) {
      const std::size_t rounded = BlockPool::rounded(bytes);
      CHECK(rounded >= bytes);
      CHECK(rounded <= bytes + bytes / 4);
      CHECK(BlockPool::rounded(rounded) == rounded);
    }
  }
  TEST_CASE("a released piece is handed out again without asking for more memory") {
    FailingMemory memory;
    BlockPool pool(&memory);
    void* first = pool.allocate(700);
    pool.deallocate(first, 700);
    memory.fail_at(1);
    CHECK(pool.allocate(700) == first);
    pool.deallocate(first, 700);
  }
  TEST_CASE("out of memory leaves the pool as it was") {
    FailingMemory memory;
    {
      BlockPool pool(&memory);
      void* piece = nullptr;
      const std::size_t failures = sweep_out_of_memory(
          memory, [&] { piece = pool.allocate(3000); },
          [&] {
            CHECK(pool.bytes_in_use() == 0);
            CHECK(pool.check_invariants().empty());
          });
      CHECK(failures == 2);
      pool.deallocate(piece, 3000);
    }
    CHECK(memory.blocks() == 0);
  }
}
