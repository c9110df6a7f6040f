#include <doctest/doctest.h>

#include "../../bench/partition/model.hpp"

namespace strata::bench {

TEST_SUITE("bench/partition") {
  Share task(std::size_t rows) {
    return {rows, 1};
  }

  // A stage with four tasks, a narrow one, and one of three tasks.
  const Partition handmade{
      {{task(100), task(100), task(100), task(40)}, {task(30)}, {task(50), task(20), task(20)}}};

  TEST_CASE("a partition counts its rows, tasks and barriers") {
    CHECK(handmade.rows() == 460);
    CHECK(handmade.tasks() == 8);
    CHECK(handmade.barriers() == 2);
    CHECK(Partition{}.rows() == 0);
  }
  TEST_CASE("one worker does all rows and tasks in order, without barriers") {
    const Costs costs{.row_ns = 2, .task_ns = 5, .barrier_ns = 1000};
    CHECK(predict_ns(handmade, costs, 1) == 460 * 2 + 8 * 5);
  }
  TEST_CASE("the worker that is free first takes the next task") {
    const Costs costs{.row_ns = 1};
    // 100 + 100 beside 100 + 40; 30 alone; 50 beside 20 + 20.
    CHECK(predict_ns(handmade, costs, 2) == 200 + 30 + 50);
    CHECK(predict_ns(handmade, costs, 4) == 100 + 30 + 50);
    CHECK(predict_ns(handmade, costs, 64) == 100 + 30 + 50);
  }
  TEST_CASE("each stage of several tasks pays for a barrier, a narrow one does not") {
    CHECK(predict_ns(handmade, {.row_ns = 1, .barrier_ns = 7}, 2) == 280 + 2 * 7);
    CHECK(predict_ns({{{task(1)}, {task(1)}, {task(1)}}}, {.row_ns = 1, .barrier_ns = 7}, 8) == 3);
  }
  TEST_CASE("the tasks of a part are done by one worker, with a single barrier for all parts of the stage") {
    const Partition parts{{{{60, 3}, {40, 2}}}};
    CHECK(parts.rows() == 100);
    CHECK(parts.tasks() == 5);
    CHECK(parts.barriers() == 1);
    CHECK(predict_ns(parts, {.row_ns = 1, .task_ns = 5, .barrier_ns = 7}, 2) == 60 + 3 * 5 + 7);
    CHECK(predict_ns(parts, {.row_ns = 1, .task_ns = 5, .barrier_ns = 7}, 1) == 100 + 5 * 5);
  }
  TEST_CASE("no number of workers is faster than memory") {
    const Costs costs{.row_ns = 1, .row_bytes = 10, .bytes_per_ns = 20};
    CHECK(predict_ns(handmade, costs, 1) == 460);
    CHECK(predict_ns(handmade, costs, 64) == 340 / 2 + 30 + 50);
    CHECK(predict_ns(handmade, {.row_ns = 1, .row_bytes = 10, .bytes_per_ns = 5}, 1) == 920);
  }
}

}  // namespace strata::bench
