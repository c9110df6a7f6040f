#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <filesystem>
#include <fstream>
#include <memory_resource>
#include <sstream>
#include <string>
#include <vector>

#include "../support/refusal.hpp"

namespace strata::test::save_file_test {

namespace {

namespace fs = std::filesystem;

struct NotDescribed {
  int number = 0;
};

/// A folder for the files of one case.
struct Folder {
  fs::path path = fs::temp_directory_path() /
                  ("strata_save_file_test" + std::to_string(reinterpret_cast<std::uintptr_t>(this)));

  Folder() {
    fs::remove_all(path);
    fs::create_directory(path);
  }
  ~Folder() { fs::remove_all(path); }
  std::string file() const { return (path / "world.strata").string(); }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path), fs::directory_iterator()));
  }
};

World world_of(int entities) {
  World world;
  for (int i = 0; i < entities; ++i) world.create(i, std::string("a text that is long enough"));
  return world;
}

/// Memory that knows the most bytes that were allocated at the same time.
struct PeakMemory final : std::pmr::memory_resource {
  std::size_t now = 0;
  std::size_t most = 0;

  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    now += bytes;
    most = std::max(most, now);
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    now -= bytes;
    std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

}  // namespace

TEST_SUITE("api/save_file") {
  TEST_CASE("a world comes back from a file, and replaces an older one") {
    const Folder folder;
    for (const int entities : {3, 100, 0}) {
      const World world = world_of(entities);
      REQUIRE(save_file(world, folder.file()));
      const LoadedWorld copy = load_file(folder.file(), world);
      REQUIRE_MESSAGE(copy.outcome, copy.outcome.message());
      CHECK(digest(copy.world) == digest(world));
      CHECK(folder.files() == 1);
    }
  }
  TEST_CASE("what is refused or cancelled leaves the old file as it was") {
    const Folder folder;
    const World old = world_of(3);
    REQUIRE(save_file(old, folder.file()));
    World world = world_of(5'000);
    int calls = 0;
    auto never = [&](const SavingProgress&) { return ++calls < 3; };
    const Outcome cancelled = save_file(world, folder.file(), {.progress = never});
    CHECK(says(cancelled.message(), "world.strata.part\" cannot be written: saving was cancelled"));
    CHECK(calls == 3);
    world.create(NotDescribed{1});
    CHECK(says(save_file(world, folder.file()).message(), "NotDescribed\" cannot be saved"));
    CHECK(folder.files() == 1);
    CHECK(digest(load_file(folder.file(), old).world) == digest(old));
  }
  TEST_CASE("a file that is not there, no file, or damaged is refused by name") {
    const Folder folder;
    const World world = world_of(2);
    CHECK(says(load_file(folder.file(), world).outcome.message(),
               "world.strata\" cannot be read: No such file"));
    CHECK(says(load_file(folder.path.string(), world).outcome.message(), "cannot be read: "));
    CHECK(says(save_file(world, folder.file() + "/below").message(), "below.part\" cannot be written: "));
    CHECK(says(save_file(world, folder.path.string()).message(), "\" cannot be replaced: "));
    std::ofstream(folder.file()) << "strata";
    CHECK(says(load_file(folder.file(), world).outcome.message(),
               "cannot be read: the world cannot be loaded: it is no saved world: it ends at byte 6"));
  }
  TEST_CASE("a copy of a progress function calls the same function") {
    int calls = 0;
    auto count = [&](const SavingProgress&) { return ++calls < 2; };
    OnProgress first(count);
    std::vector<OnProgress> copies(3, first);
    first = OnProgress();
    CHECK(copies[0]({}));
    CHECK(!OnProgress(copies[1])({}));
    CHECK(first({}));
    CHECK(calls == 2);
  }
  TEST_CASE("progress counts bytes and entities, and loading can be cancelled at each step") {
    const World world = world_of(3'000);
    SavingProgress last;
    int calls = 0;
    auto count = [&](const SavingProgress& progress) {
      CHECK(progress.bytes > last.bytes);
      CHECK(progress.entities >= last.entities);
      last = progress;
      ++calls;
      return true;
    };
    std::stringstream file;
    REQUIRE(save(world, file, {.progress = count}));
    CHECK(last.bytes == file.str().size());
    CHECK(last.entities == 3'000);
    CHECK(last.of == 3'000);
    const int steps = calls;
    last = {};
    REQUIRE(load(file, world, {.progress = count}).outcome);
    CHECK(last.bytes == file.str().size());
    CHECK(last.entities == 3'000);
    for (int step = 1; step < steps; ++step) {
      int left = step;
      auto cancel = [&](const SavingProgress&) { return --left != 0; };
      std::istringstream in(file.str());
      const LoadedWorld copy = load(in, world, {.progress = cancel});
      CHECK(says(copy.outcome.message(), "the world cannot be loaded: it was cancelled at byte "));
      CHECK(copy.world.size() == 0);
    }
  }
  TEST_CASE("saving takes a few MiB beside the world, whatever its size") {
    PeakMemory memory;
    World world({.memory = &memory});
    const Entity root = world.create(std::string(3'000'000, 'x'));
    for (int i = 0; i < 3'000; ++i) world.create(child_of(root), std::string(20'000, 'y'));
    for (int i = 0; i < 300'000; ++i) world.create(child_of(root));
    const std::size_t before = memory.now;
    memory.most = before;
    struct Nowhere : std::streambuf {
      std::streamsize xsputn(const char*, std::streamsize size) override { return size; }
    } nowhere;
    std::ostream out(&nowhere);
    const Outcome done = save(world, out);
    REQUIRE_MESSAGE(done, done.message());
    CHECK(memory.most - before < 16'000'000);
  }
}

}  // namespace strata::test::save_file_test
