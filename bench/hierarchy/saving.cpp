// Saving: a world with a tree is saved to a file and loaded from it, with plain values and with texts and lists.
//
// The limits write the same values and the parents from arrays, and read them into new ones: the raw bytes of plain values; of
// texts and lists, a size and the bytes of each.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <istream>
#include <memory>
#include <ostream>
#include <span>
#include <strata/strata.hpp>
#include <string>
#include <vector>

#include "support/suite.hpp"

namespace strata::bench::saving {
namespace {

struct Place {
  float x, y, z;
};
struct Motion {
  float x, y, z;
};
struct Strength {
  std::uint32_t points;
};
struct Name {
  std::string text;
  std::vector<std::uint32_t> marks;
};

}  // namespace
}  // namespace strata::bench::saving

template <>
inline constexpr auto strata::members_of<strata::bench::saving::Place> = strata::Members{
    member("x", &strata::bench::saving::Place::x), member("y", &strata::bench::saving::Place::y),
    member("z", &strata::bench::saving::Place::z)};
template <>
inline constexpr auto strata::members_of<strata::bench::saving::Motion> = strata::Members{
    member("x", &strata::bench::saving::Motion::x), member("y", &strata::bench::saving::Motion::y),
    member("z", &strata::bench::saving::Motion::z)};
template <>
inline constexpr auto strata::members_of<strata::bench::saving::Strength> =
    strata::Members{member("points", &strata::bench::saving::Strength::points)};
template <>
inline constexpr auto strata::members_of<strata::bench::saving::Name> = strata::Members{
    member("text", &strata::bench::saving::Name::text), member("marks", &strata::bench::saving::Name::marks)};

namespace strata::bench::saving {
namespace {

/// A file in the folder for temporary files.
class TemporaryFile : public std::filebuf {
 public:
  ~TemporaryFile() override { std::filesystem::remove(path_); }

  void begin_writing() { reopen(std::ios::out | std::ios::trunc); }
  void begin_reading() { reopen(std::ios::in); }

 private:
  void reopen(std::ios::openmode how) {
    close();
    open(path_, how | std::ios::binary);
  }

  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("strata_bench_" + std::to_string(getpid()) + ".strata");
};

/// Values and parents by number; each node has up to ten children.
struct Columns {
  Columns(std::size_t n, bool named) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto x = static_cast<float>(i % 1'000);
      positions.push_back({x, 1, -x});
      velocities.push_back({1, x, 2});
      healths.push_back({static_cast<std::uint32_t>(i)});
      parents.push_back(i == 0 ? kNoParent : static_cast<std::uint32_t>((i - 1) / 10));
      if (named)
        names.push_back({"the name of node " + std::to_string(i), {1, 2, static_cast<std::uint32_t>(i)}});
    }
  }

  World world() const {
    World made;
    const auto build = [&](auto... more) {
      (void)made.build_hierarchy(parents, std::span(positions), std::span(velocities), std::span(healths),
                                 more...);
    };
    names.empty() ? build() : build(std::span(names));
    return made;
  }

  std::vector<Place> positions;
  std::vector<Motion> velocities;
  std::vector<Strength> healths;
  std::vector<std::uint32_t> parents;
  std::vector<Name> names;
  mutable TemporaryFile file;
};

void write_all(std::ostream& out, const auto& values) {
  out.write(reinterpret_cast<const char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(values[0])));
}
void read_all(std::istream& in, auto&& values) {
  in.read(reinterpret_cast<char*>(values.data()),
          static_cast<std::streamsize>(values.size() * sizeof(values[0])));
}

void write_by_hand(const Columns& columns) {
  columns.file.begin_writing();
  std::ostream out(&columns.file);
  write_all(out, columns.positions);
  write_all(out, columns.velocities);
  write_all(out, columns.healths);
  write_all(out, columns.parents);
  for (const Name& name : columns.names) {
    write_all(out, std::array{name.text.size(), name.marks.size()});
    write_all(out, name.text);
    write_all(out, name.marks);
  }
  columns.file.close();
}

/// What is read into new memory.
class Copy {
 public:
  explicit Copy(Columns& columns) : columns_(&columns) { write_by_hand(columns); }

  void prepare() { *this = Copy(*columns_); }
  void step() {
    const std::size_t n = columns_->positions.size();
    columns_->file.begin_reading();
    std::istream in(&columns_->file);
    read(in, positions_, n);
    read(in, velocities_, n);
    read(in, healths_, n);
    read(in, parents_, n);
    names_.resize(columns_->names.size());
    for (Name& name : names_) {
      std::array<std::size_t, 2> sizes = {};
      read_all(in, sizes);
      name.text.resize(sizes[0]);
      name.marks.resize(sizes[1]);
      read_all(in, name.text);
      read_all(in, name.marks);
    }
  }
  Complaint check() const {
    const bool is_same = std::equal(columns_->parents.begin(), columns_->parents.end(), parents_.get()) &&
                         names_.size() == columns_->names.size();
    return is_same ? "" : "something else was read";
  }

 private:
  template <class T>
  static void read(std::istream& in, std::unique_ptr<T[]>& values, std::size_t count) {
    values.reset(new T[count]);
    read_all(in, std::span(values.get(), count));
  }

  Columns* columns_;
  std::unique_ptr<Place[]> positions_;
  std::unique_ptr<Motion[]> velocities_;
  std::unique_ptr<Strength[]> healths_;
  std::unique_ptr<std::uint32_t[]> parents_;
  std::vector<Name> names_;
};

Work write_columns(Columns& columns) {
  return {.step = [&columns] { write_by_hand(columns); }};
}

Outcome save_to(const World& world, Columns& columns) {
  columns.file.begin_writing();
  std::ostream out(&columns.file);
  Outcome saved = save(world, out);
  columns.file.close();
  return saved;
}

Work save_world(Columns& columns) {
  struct State {
    World world;
    Outcome saved = Outcome::done();
  };
  return work_on(
      std::make_shared<State>(State{columns.world()}),
      [&columns](State& state) { state.saved = save_to(state.world, columns); },
      [](State& state) { return state.saved.message(); });
}

Work load_world(Columns& columns) {
  struct State {
    World known;
    std::uint64_t expected = digest(known);
    LoadedWorld loaded{Outcome::done(), World()};
  };
  return work_on(
      std::make_shared<State>(State{columns.world()}),
      [&columns](State& of) {
        columns.file.begin_reading();
        std::istream in(&columns.file);
        of.loaded = load(in, of.known);
      },
      [](State& of) {
        if (!of.loaded.outcome) return of.loaded.outcome.message();
        return std::string(digest(of.loaded.world) == of.expected ? "" : "another world was loaded");
      },
      [&columns](State& of) {
        of.loaded = {Outcome::done(), World()};
        (void)save_to(of.known, columns);
      });
}

void ask_saving(Suite& suite, std::size_t n, bool named, const char* values, double most) {
  const auto make = [n, named] { return std::make_shared<Columns>(n, named); };
  auto& saving = ask_of_size<Columns>(suite, std::string("hierarchy/save_") + values, n, make);
  saving.limit(write_columns).answer("strata", save_world).at_most(most);
  auto& loading = ask_of_size<Columns>(suite, std::string("hierarchy/load_") + values, n, make);
  loading.limit<Copy>();
  loading.answer("strata", load_world).at_most(most);
}

const Family kFamily([](Suite& suite) {
  for (const std::size_t n : {10'000u, 1'000'000u}) {
    ask_saving(suite, n, false, "plain", 3);
    ask_saving(suite, n, true, "texts", 10);
  }
});

}  // namespace
}  // namespace strata::bench::saving
