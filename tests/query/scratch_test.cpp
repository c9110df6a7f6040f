#include "../../query/matching/scratch.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <stdexcept>
#include <utility>

namespace strata::test::scratch_test {

using namespace detail;

TEST_SUITE("query/scratch") {
  TEST_CASE("memory that was given back is lent again, if it is large enough") {
    Scratch scratch;
    void* const small = scratch.borrow(100);
    void* const large = scratch.borrow(1000);
    CHECK(small != large);
    CHECK(reinterpret_cast<std::uintptr_t>(small) % __STDCPP_DEFAULT_NEW_ALIGNMENT__ == 0);
    scratch.give_back(large);
    scratch.give_back(small);
    CHECK(scratch.borrow(101) == large);
    CHECK(scratch.borrow(100) == small);
    void* const more = scratch.borrow(1);
    CHECK(more != small);
    CHECK(more != large);
    for (void* const memory : {small, large, more}) scratch.give_back(memory);
  }
  TEST_CASE("a copy starts empty, and what is moved takes the memory along") {
    Scratch scratch;
    void* const memory = scratch.borrow(64);
    scratch.give_back(memory);
    Scratch copy(scratch);
    void* const other = copy.borrow(64);
    CHECK(other != memory);
    copy.give_back(other);
    Scratch moved(std::move(scratch));
    CHECK(moved.borrow(64) == memory);
    moved.give_back(memory);
    copy = std::move(moved);
    CHECK(copy.borrow(64) == memory);
    copy.give_back(memory);
  }
  TEST_CASE("a borrowed object gives its memory back, however it ends") {
    struct Fragile {
      explicit Fragile(bool fails) {
        if (fails) throw std::runtime_error("cannot begin");
      }
      ~Fragile() noexcept(false) {
        if (ends) throw std::runtime_error("cannot end");
      }
      bool ends = false;
    };
    Scratch scratch;
    void* const memory = scratch.borrow(sizeof(Fragile));
    scratch.give_back(memory);
    const auto comes_back = [&] {
      void* const again = scratch.borrow(sizeof(Fragile));
      scratch.give_back(again);
      return again == memory;
    };
    CHECK_THROWS_WITH_AS(Borrowed<Fragile>(scratch, true), "cannot begin", std::runtime_error);
    CHECK(comes_back());
    const auto end = [&] {
      Borrowed<Fragile> borrowed(scratch, false);
      borrowed->ends = true;
    };
    CHECK_THROWS_WITH_AS(end(), "cannot end", std::runtime_error);
    CHECK(comes_back());
  }
}

}  // namespace strata::test::scratch_test
