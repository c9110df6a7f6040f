// What the tests of observers of pairs share: relations of all kinds, and logs of their pairs.
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "../../include/strata/strata.hpp"
#include "observer_log.hpp"

namespace strata::test::observed_pairs {

using observer_log::Log;

struct Likes {};
struct Owes {
  int gold = 0;
};
struct DockedTo {
  int port = 0;
};
struct Knows {};
struct MarriedTo {
  int year = 0;
};
struct Serves {};
struct PartOf {};

}  // namespace strata::test::observed_pairs

template <>
inline constexpr strata::RelationOptions strata::relation_options_of<strata::test::observed_pairs::DockedTo> =
    {.exclusive = true, .queried = true};
template <>
inline constexpr strata::RelationOptions strata::relation_options_of<strata::test::observed_pairs::Knows> = {
    .symmetric = true};
template <>
inline constexpr strata::RelationOptions
    strata::relation_options_of<strata::test::observed_pairs::MarriedTo> = {
        .exclusive = true, .symmetric = true, .queried = true};
template <>
inline constexpr strata::RelationOptions strata::relation_options_of<strata::test::observed_pairs::Serves> = {
    .exclusive = true, .storage = strata::Storage::table};
template <>
inline constexpr strata::RelationOptions strata::relation_options_of<strata::test::observed_pairs::PartOf> = {
    .target_destroyed = strata::PairCleanup::destroy};

namespace strata::test::observed_pairs {

/// Logs pairs of R that come as "+source>target", those that go as "-source>target", with the value if there is one.
template <class R>
std::vector<Subscription> log_pairs(World& world, Log& log) {
  const auto check = [&world](Entity source, Entity target) {
    CHECK(world.alive(source));
    CHECK(world.alive(target));
    CHECK(world.relations().has<R>(source, target));
  };
  std::vector<Subscription> both;
  if constexpr (is_tag<R>) {
    const auto logs = [&log, check](const char* sign) {
      return [&log, check, sign](Entity source, Entity target) {
        check(source, target);
        log(sign, source, ">", target);
      };
    };
    both.push_back(world.observers().on_pair_add<R>(logs("+")));
    both.push_back(world.observers().on_pair_remove<R>(logs("-")));
  } else {
    const auto logs = [&world, &log, check](const char* sign) {
      return [&world, &log, check, sign](Entity source, Entity target, R& value) {
        check(source, target);
        CHECK(world.relations().find<R>(source, target) == &value);
        const auto [number] = value;
        log(sign, source, ">", target, "=", number);
      };
    };
    both.push_back(world.observers().on_pair_add<R>(logs("+")));
    both.push_back(world.observers().on_pair_remove<R>(logs("-")));
  }
  return both;
}

inline std::vector<Entity> create(World& world, std::size_t count) {
  std::vector<Entity> created;
  for (std::size_t i = 0; i < count; ++i) created.push_back(world.create());
  return created;
}

}  // namespace strata::test::observed_pairs
