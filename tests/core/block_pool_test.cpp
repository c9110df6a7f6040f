#include "../../core/block_pool.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <memory_resource>
#include <new>
#include <random>
#include <utility>
#include <vector>

#include "../support/failing_memory.hpp"

namespace strata::test::block_pool_test {

using namespace detail;

namespace {

/// Hands out the addresses of one buffer, neighbours without a gap, upwards or downwards; takes nothing back.
class LinearMemory final : public std::pmr::memory_resource {
 public:
  enum class Direction { up, down };

  explicit LinearMemory(Direction direction) : direction_(direction), end_(kBytes) {}

  std::size_t bytes() const { return bytes_; }  // not yet given back

 private:
  static constexpr std::size_t kBytes = 8 << 20;

  void* do_allocate(std::size_t size, std::size_t) override {
    const std::size_t step = BlockPool::rounded(size);
    if (end_ - begin_ < step) throw std::bad_alloc();
    bytes_ += size;
    if (direction_ == Direction::down) return buffer_.get() + (end_ -= step);
    return buffer_.get() + (std::exchange(begin_, begin_ + step));
  }
  void do_deallocate(void*, std::size_t size, std::size_t) override { bytes_ -= size; }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  struct alignas(BlockPool::kAlignment) Line {
    std::byte bytes[BlockPool::kAlignment];
  };
  struct Free {
    void operator()(std::byte* bytes) const { delete[] reinterpret_cast<Line*>(bytes); }
  };
  std::unique_ptr<std::byte, Free> buffer_{reinterpret_cast<std::byte*>(new Line[kBytes / sizeof(Line)])};
  Direction direction_;
  std::size_t begin_ = 0;
  std::size_t end_;
  std::size_t bytes_ = 0;
};

/// Returns: pieces of 64 bytes, by address, that take all of a new pool's first slab.
std::vector<void*> whole_slab(BlockPool& pool) {
  std::vector<void*> pieces(64);
  for (void*& piece : pieces) piece = pool.allocate(64);
  std::sort(pieces.begin(), pieces.end(), std::less<>());
  return pieces;
}

/// Families of up to eight rows of 104 bytes that grow a row at a time, in random order.
class Families {
 public:
  Families(BlockPool& pool, std::size_t count) : pool_(pool), families_(count) {}

  /// Calls `after_each()` after each row.
  template <class AfterEach>
  void grow(AfterEach after_each) {
    std::mt19937 random(1);
    for (std::size_t i = 0; i < families_.size() * 8; ++i) {
      Family& family = families_[random() % families_.size()];
      if (family.rows == 8) continue;
      void* const larger = pool_.allocate(bytes_of(family.rows + 1));
      if (family.rows != 0) pool_.deallocate(family.begin, bytes_of(family.rows));
      family = {larger, family.rows + 1};
      after_each();
    }
  }
  void release_all() {
    for (Family& family : families_) {
      if (family.rows != 0) pool_.deallocate(family.begin, bytes_of(family.rows));
      family = {};
    }
  }

 private:
  struct Family {
    void* begin = nullptr;
    std::size_t rows = 0;
  };
  static std::size_t bytes_of(std::size_t rows) { return 64 + 104 * rows; }

  BlockPool& pool_;
  std::vector<Family> families_;
};

}  // namespace

TEST_SUITE("core/block_pool") {
  TEST_CASE("sizes are rounded up by at most a quarter, and a rounded size stays") {
    for (std::size_t bytes = 512; bytes < 40'000; bytes += 7) {
      const std::size_t rounded = BlockPool::rounded(bytes);
      CHECK(rounded >= bytes);
      CHECK(rounded <= bytes + bytes / 4);
      CHECK(BlockPool::rounded(rounded) == rounded);
    }
  }
  TEST_CASE("addresses in pieces are held, small and large ones, and others are not") {
    BlockPool pool(std::pmr::new_delete_resource());
    int outside = 0;
    CHECK_FALSE(pool.holds(&outside));
    auto* const small = static_cast<std::byte*>(pool.allocate(100));
    auto* const large = static_cast<std::byte*>(pool.allocate(100'000));
    CHECK(pool.holds(small));
    CHECK(pool.holds(small + 99));
    CHECK(pool.holds(large));
    CHECK(pool.holds(large + 99'999));
    CHECK_FALSE(pool.holds(&outside));
    pool.deallocate(large, 100'000);
    CHECK_FALSE(pool.holds(large));
    pool.deallocate(small, 100);
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
  TEST_CASE("neighbouring free pieces become one that a larger size is cut from") {
    FailingMemory memory;
    BlockPool pool(&memory);
    std::vector<void*> small = whole_slab(pool);
    for (int i = 0; i < 48; ++i) {
      pool.deallocate(small.back(), 64);
      small.pop_back();
    }
    memory.fail_at(1);
    void* const large = pool.allocate(48 * 64);
    CHECK(pool.check_invariants().empty());
    pool.deallocate(large, 48 * 64);
    for (void* piece : small) pool.deallocate(piece, 64);
  }
  TEST_CASE("free pieces with others in use between them are not merged") {
    FailingMemory memory;
    BlockPool pool(&memory);
    std::vector<void*> small = whole_slab(pool);
    for (std::size_t i = 0; i < small.size(); i += 2) pool.deallocate(small[i], 64);
    const std::size_t taken = memory.bytes();
    void* const larger = pool.allocate(128);
    CHECK(memory.bytes() > taken);
    CHECK(pool.check_invariants().empty());
    pool.deallocate(larger, 128);
    for (std::size_t i = 1; i < small.size(); i += 2) pool.deallocate(small[i], 64);
  }
  TEST_CASE("families that grow in random order leave less than a third of the memory unused") {
    FailingMemory memory;
    BlockPool pool(&memory);
    Families families(pool, 5000);
    families.grow([] {});
    CHECK(memory.bytes() < pool.bytes_in_use() + pool.bytes_in_use() / 3);
    CHECK(pool.check_invariants().empty());
    families.release_all();
    CHECK(memory.blocks() == 2);
  }
  TEST_CASE("how much is taken follows from the calls, not from addresses; slabs are never merged") {
    LinearMemory upwards(LinearMemory::Direction::up);
    LinearMemory downwards(LinearMemory::Direction::down);
    FailingMemory anywhere;
    std::vector<std::size_t> taken[3];
    const auto grow = [](auto& memory, std::vector<std::size_t>& bytes) {
      BlockPool pool(&memory);
      Families families(pool, 1500);
      families.grow([&] { bytes.push_back(memory.bytes()); });
      CHECK(pool.check_invariants().empty());
      families.release_all();
      bytes.push_back(memory.bytes());
      CHECK(pool.check_invariants().empty());
    };
    grow(upwards, taken[0]);
    grow(downwards, taken[1]);
    grow(anywhere, taken[2]);
    CHECK(taken[0] == taken[1]);
    CHECK(taken[0] == taken[2]);
  }
  TEST_CASE("slabs go back when little is left in use, and none are taken and given in turns at that edge") {
    FailingMemory memory;
    BlockPool pool(&memory);
    std::vector<void*> pieces(1000);
    for (void*& piece : pieces) piece = pool.allocate(4096);
    const std::size_t most = memory.bytes();
    while (pieces.size() > 200) {
      pool.deallocate(pieces.back(), 4096);
      pieces.pop_back();
    }
    CHECK(memory.bytes() < most / 2);
    const std::size_t allocations = memory.allocations();
    const std::size_t blocks = memory.blocks();
    for (int turn = 0; turn < 10; ++turn) {
      for (int i = 0; i < 150; ++i) pieces.push_back(pool.allocate(4096));
      for (int i = 0; i < 150; ++i) {
        pool.deallocate(pieces.back(), 4096);
        pieces.pop_back();
      }
    }
    CHECK(memory.allocations() == allocations);
    CHECK(memory.blocks() == blocks);
    for (void* piece : pieces) pool.deallocate(piece, 4096);
  }
  TEST_CASE("out of memory after a merge leaves the pieces in use as they were") {
    FailingMemory memory;
    BlockPool pool(&memory);
    std::vector<void*> small = whole_slab(pool);
    for (std::size_t i = 0; i < small.size(); i += 2) pool.deallocate(small[i], 64);
    void* larger = nullptr;
    const std::size_t failures = sweep_out_of_memory(
        memory, [&] { larger = pool.allocate(128); },
        [&] {
          CHECK(pool.bytes_in_use() == small.size() / 2 * 64);
          CHECK(pool.check_invariants().empty());
        });
    CHECK(failures == 1);
    pool.deallocate(larger, 128);
    for (std::size_t i = 1; i < small.size(); i += 2) pool.deallocate(small[i], 64);
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
  TEST_CASE("shrink gives back every slab without a piece in use") {
    FailingMemory memory;
    BlockPool pool(&memory);
    std::vector<void*> pieces(1000);
    for (void*& piece : pieces) piece = pool.allocate(1000);
    const std::size_t most = memory.bytes();
    for (std::size_t i = 10; i < pieces.size(); ++i) pool.deallocate(pieces[i], 1000);
    pool.shrink();
    CHECK(memory.bytes() < most / 20);
    CHECK(pool.memory_use().used == 10 * 1024);
    CHECK(pool.check_invariants() == "");
    for (std::size_t i = 0; i < 10; ++i) pool.deallocate(pieces[i], 1000);
    pool.shrink();
    CHECK(memory.bytes() == 0);
    CHECK(pool.memory_use() == MemoryUse{});
    pool.deallocate(pool.allocate(1000), 1000);
    CHECK(pool.check_invariants() == "");
  }
  TEST_CASE("large pieces of two pools are exchanged, and each pool frees those that it got") {
    constexpr std::size_t kBytes = 20'000;
    FailingMemory memory, other_memory;
    {
      BlockPool first(&memory), second(&memory), other(&other_memory);
      CHECK(first.can_exchange(second, kBytes));
      CHECK_FALSE(first.can_exchange(second, 16 * 1024));  // It is a piece of a slab.
      CHECK_FALSE(first.can_exchange(other, kBytes));
      void* const own = first.allocate(kBytes);
      void* const others = second.allocate(kBytes);
      memory.fail_at(1);
      first.exchange(own, second, others, kBytes);
      memory.never_fail();
      CHECK(first.holds(others));
      CHECK_FALSE(first.holds(own));
      CHECK(second.holds(own));
      CHECK(first.check_invariants() == "");
      CHECK(second.check_invariants() == "");
      first.deallocate(others, kBytes);
      CHECK(first.bytes_in_use() == 0);
      second.deallocate(own, kBytes);
    }
    CHECK(memory.blocks() == 0);
    CHECK(memory.complaint() == "");
  }
}

}  // namespace strata::test::block_pool_test
