#include "structure.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <string>
#include <utility>

namespace fs = std::filesystem;
using namespace strata::test;

namespace {

/// A source tree made for one test, removed with it.
class Tree {
 public:
  Tree() {
    std::string name = (fs::temp_directory_path() / "strata-structure-XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw fs::filesystem_error("mkdtemp", name, std::error_code(errno, std::generic_category()));
    root_ = name;
  }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;
  ~Tree() { fs::remove_all(root_); }

  const fs::path& root() const { return root_; }
  void write(const fs::path& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }

 private:
  fs::path root_;
};

const fs::path kRoot = STRATA_SOURCE_ROOT;

void check_none(const Complaints& complaints) {
  for (const std::string& complaint : complaints) FAIL_CHECK(complaint);
}

}  // namespace

TEST_SUITE("structure/this tree") {
  TEST_CASE("no include points upward") {
    check_none(check_includes(kRoot));
  }
  TEST_CASE("no include points to a folder to its right") {
    check_none(check_folders(kRoot));
  }
  TEST_CASE("the headers declare in strata what the public header lists") {
    check_none(check_public_surface(kRoot));
  }
  TEST_CASE("CMake builds the same sources as Meson") {
    check_none(check_cmake(kRoot));
  }
  TEST_CASE("what only some compilers know is in one header") {
    check_none(check_compiler_words(kRoot));
  }
  TEST_CASE("no source file is over 500 lines") {
    check_none(check_file_sizes(kRoot));
  }
  TEST_CASE("every header opens with a line that says what lives there") {
    check_none(check_header_openings(kRoot));
  }
  TEST_CASE("the top level holds the rooms and what belongs beside them") {
    check_none(check_top_level(kRoot));
  }
  TEST_CASE("every test file is one suite, named for the file") {
    check_none(check_test_suites(kRoot));
  }
  TEST_CASE("every test file is built") {
    check_none(check_tests_built(kRoot));
  }
  TEST_CASE("every numbered invariant has a label of its own and is checked") {
    check_none(check_invariant_labels(kRoot));
  }
  TEST_CASE("the pages of the examples quote programs that are compiled and run") {
    check_none(check_examples(kRoot));
  }
  TEST_CASE("documents link to files that are there, and the README names every public header") {
    check_none(check_links(kRoot));
    check_none(check_header_map(kRoot));
  }
  TEST_CASE("the code in tables is compiled") {
    check_none(check_tables(kRoot / "tests/examples/README.md", kRoot / "tests/examples/at_a_glance.cpp"));
    check_none(check_tables(kRoot / "README.md", kRoot / "tests/examples/at_a_glance.cpp"));
  }
}

TEST_SUITE("structure/the checker") {
  TEST_CASE("finds an include that points upward") {
    const Tree tree;
    tree.write("core/a.hpp", "");
    tree.write("storage/b.hpp", "#include \"../core/a.hpp\"\n");
    CHECK(check_includes(tree.root()).empty());
    tree.write("core/a.hpp", "  #  include \"../storage/b.hpp\"\n");
    CHECK(check_includes(tree.root()) == Complaints{"core/a.hpp includes upward: \"../storage/b.hpp\""});
  }
  TEST_CASE("finds a room that includes the public API") {
    const Tree tree;
    tree.write("include/strata/strata.hpp", "#include \"../../hierarchy/links.hpp\"\n");
    tree.write("hierarchy/links.hpp", "");
    CHECK(check_includes(tree.root()).empty());
    tree.write("hierarchy/links.hpp", "#include <strata/strata.hpp>\n");
    CHECK(check_includes(tree.root()).size() == 1);
    tree.write("hierarchy/links.hpp", "#include \"../include/strata/strata.hpp\"\n");
    CHECK(check_includes(tree.root()).size() == 1);
  }
  TEST_CASE("finds an include between rooms that is not relative") {
    const Tree tree;
    tree.write("core/entity.hpp", "");
    tree.write("storage/b.cpp", "#include \"core/entity.hpp\"\n");
    CHECK(check_includes(tree.root()).size() == 1);
    tree.write("storage/b.cpp", "#include <core/entity.hpp>\n");
    CHECK(check_includes(tree.root()).size() == 1);
    tree.write("storage/b.cpp", "#include <vector>\n#include \"../core/entity.hpp\"\n");
    CHECK(check_includes(tree.root()).empty());
  }
  TEST_CASE("finds a room's test that reaches further than its room") {
    const Tree tree;
    tree.write("tests/query/query_test.cpp", "#include \"../../hierarchy/links.hpp\"\n");
    CHECK(check_includes(tree.root()).size() == 1);
    tree.write("tests/query/query_test.cpp", "#include <strata/strata.hpp>\n");
    CHECK(check_includes(tree.root()).size() == 1);
    tree.write("tests/query/query_test.cpp",
               "#include \"../../storage/table.hpp\"\n#include \"../support/x.hpp\"\n");
    CHECK(check_includes(tree.root()).empty());
  }
  TEST_CASE("finds invariants that share a label, that nothing checks and that no header has") {
    const Tree tree;
    tree.write("core/a.hpp", "///   A1. Small.\n");
    tree.write("core/a.cpp", "return \"A1: large\";\n");
    CHECK(check_invariant_labels(tree.root()).empty());
    tree.write("storage/b.hpp", "///   A1. Even.\n");
    CHECK(check_invariant_labels(tree.root()) ==
          Complaints{"storage/b.hpp numbers an invariant A1, as core/a.hpp does"});
    tree.write("storage/b.hpp", "///   B1. Even.\n");
    CHECK(check_invariant_labels(tree.root()) == Complaints{"storage/b.hpp has B1, which nothing checks"});
    tree.write("storage/b.cpp", "return \"B1: odd\";\nreturn \"B2: old\";\n");
    CHECK(check_invariant_labels(tree.root()) == Complaints{"storage/b.cpp checks B2, which no header has"});
  }
  TEST_CASE("finds a file of more than 500 lines") {
    const Tree tree;
    std::string text;
    for (int line = 0; line < 500; ++line) text += "\n";
    tree.write("bench/long.cpp", text);
    CHECK(check_file_sizes(tree.root()).empty());
    tree.write("bench/long.cpp", text + "\n");
    CHECK(check_file_sizes(tree.root()) == Complaints{"bench/long.cpp has 501 lines"});
  }
  TEST_CASE("finds a header without its opening line or its guard") {
    const Tree tree;
    tree.write("query/plan.hpp", "// A plan.\n#pragma once\n");
    CHECK(check_header_openings(tree.root()).empty());
    tree.write("query/plan.hpp", "#pragma once\n// A plan.\n");
    CHECK(check_header_openings(tree.root()).size() == 1);
    tree.write("query/plan.hpp", "// A plan.\n");
    CHECK(check_header_openings(tree.root()).size() == 1);
  }
  TEST_CASE("finds a top-level entry that has no place there") {
    const Tree tree;
    tree.write("core/a.hpp", "");
    tree.write("README.md", "");
    tree.write(".clang-format", "");
    tree.write("build-release/log", "");
    CHECK(check_top_level(tree.root()).empty());
    tree.write("utils/helpers.hpp", "");
    CHECK(check_top_level(tree.root()) == Complaints{"utils has no place at the top level"});
  }
  TEST_CASE("finds a test file whose suite has another name") {
    const Tree tree;
    tree.write("tests/core/slots_test.cpp", "TEST_SUITE(\"core/slots\") {\n}\n");
    tree.write("tests/core/slots_model_test.cpp", "TEST_SUITE(\"core/slots\") {\n}\n");
    CHECK(check_test_suites(tree.root()).empty());
    tree.write("tests/core/slots_test.cpp", "TEST_SUITE(\"core/slot\") {\n}\n");
    CHECK(check_test_suites(tree.root()).size() == 1);
  }
  TEST_CASE("finds a test file that is not built") {
    const Tree tree;
    tree.write("tests/core/slots_test.cpp", "");
    tree.write("tests/core/words.cpp", "");
    tree.write("tests/meson.build", "    'core/slots_test.cpp',\n");
    CHECK(check_tests_built(tree.root()).empty());
    tree.write("tests/api/lost_test.cpp", "");
    CHECK(check_tests_built(tree.root()) ==
          Complaints{"tests/meson.build does not name tests/api/lost_test.cpp"});
  }
  TEST_CASE("finds a quotation that is not word for word") {
    const Tree tree;
    tree.write("readme.cpp", "int main()\n{}\n");
    tree.write("README.md", "Text\n```cpp\nint main()\n```\nmore\n```sh\nls\n```\n```cpp\n\n{}\n```\n");
    const fs::path readme = tree.root() / "README.md";
    CHECK(check_quotation(readme, tree.root() / "readme.cpp").empty());
    tree.write("readme.cpp", "int main() { return 1; }\n");
    CHECK(check_quotation(readme, tree.root() / "readme.cpp").size() == 1);
    tree.write("README.md", "Text\n");
    CHECK(check_quotation(readme, tree.root() / "readme.cpp").size() == 1);
  }

  TEST_CASE("finds an example without a page, without its output, not listed or not run") {
    const Tree tree;
    tree.write("tests/meson.build", "foreach example : ['loop']\n");
    tree.write("tests/examples/README.md", "[Loop](loop.md)\n");
    tree.write("tests/examples/loop.cpp", "int main() {}\n");
    tree.write("tests/examples/loop.txt", "printed\n");
    tree.write("tests/examples/loop.md", "```cpp\nint main() {}\n```\n```text\nprinted\n```\n");
    CHECK(check_examples(tree.root()).empty());
    tree.write("tests/examples/loop.txt", "printed now\n");
    CHECK(check_examples(tree.root()) == Complaints{"loop.md does not quote loop.txt word for word"});
    tree.write("tests/examples/loop.txt", "printed\n");
    tree.write("tests/examples/other.cpp", "int main() {}\n");
    CHECK(check_examples(tree.root()).size() == 3);
  }
  TEST_CASE("finds code in a table that is not compiled") {
    const Tree tree;
    tree.write("glance.cpp", "world.create(A{1,\n    2});\n");
    tree.write("README.md",
               "| to | write |\n|---|---|\n| create `x` | `world.create(A{1, 2})` or so |\n\n| a | b |\n| "
               "`c` | `d` |\n");
    CHECK(check_tables(tree.root() / "README.md", tree.root() / "glance.cpp").empty());
    tree.write("glance.cpp", "world.create(A{1});\n");
    CHECK(check_tables(tree.root() / "README.md", tree.root() / "glance.cpp") ==
          Complaints{"README.md shows `world.create(A{1, 2})`, which glance.cpp does not have"});
  }
  TEST_CASE("finds a link to a file that is not there") {
    const Tree tree;
    tree.write("bench/figures.md", "");
    tree.write("README.md", "[a](bench/figures.md#top) `[b](c)` [d](https://e.f)\n```cpp\n[g](h)\n```\n");
    CHECK(check_links(tree.root()).empty());
    tree.write("bench/README.md", "[figures](bench/figures.md)\n");
    CHECK(check_links(tree.root()) ==
          Complaints{"bench/README.md links to bench/figures.md, which is not there"});
  }
  TEST_CASE("finds a public header that the README does not name") {
    const Tree tree;
    tree.write("README.md", "`a.hpp`\n");
    tree.write("include/strata/a.hpp", "");
    tree.write("include/strata/detail/b.hpp", "");
    CHECK(check_header_map(tree.root()).empty());
    tree.write("include/strata/c.hpp", "");
    CHECK(check_header_map(tree.root()) == Complaints{"README.md does not say what c.hpp is for"});
  }

  TEST_CASE("finds an include of a folder to the right, and a folder without a place") {
    const Tree tree;
    tree.write("storage/tables/a.hpp", "");
    tree.write("storage/rows/b.hpp", "#include \"../tables/a.hpp\"\n");
    tree.write("storage/c.hpp", "#include \"rows/b.hpp\"\n");
    CHECK(check_folders(tree.root()).empty());
    tree.write("storage/tables/a.hpp", "#include \"../rows/b.hpp\"\n");
    CHECK(check_folders(tree.root()) ==
          Complaints{"storage/tables/a.hpp includes a folder to its right: \"../rows/b.hpp\""});
    tree.write("storage/tables/a.hpp", "#include \"../c.hpp\"\n");
    CHECK(check_folders(tree.root()).size() == 1);
    tree.write("storage/tables/a.hpp", "");
    tree.write("storage/new/d.hpp", "");
    CHECK(check_folders(tree.root()) ==
          Complaints{"storage/new/d.hpp is in a folder that has no place in the order of storage"});
  }
  TEST_CASE("finds a public name that is not listed, and a listed one that is gone") {
    const Tree tree;
    tree.write("include/strata/strata.hpp", "//   core/a.hpp: A, B, kC, f\n");
    const std::string declarations =
        "namespace strata {\n\nclass A {\n  class Inner {};\n};\ntemplate <class T>\nstruct B : A {\n};\n"
        "inline constexpr int kC = 3;\nint f(A a);\nclass Later;\n\n}  // namespace strata\n";
    tree.write("core/a.hpp", declarations);
    CHECK(check_public_surface(tree.root()).empty());
    tree.write("core/b.hpp", "namespace strata::detail {\nclass D {\n};\n}  // namespace strata::detail\n");
    CHECK(check_public_surface(tree.root()).empty());
    tree.write("core/b.hpp", "namespace strata {\nclass D {\n};\n}  // namespace strata\n");
    CHECK(check_public_surface(tree.root()) ==
          Complaints{
              "core/b.hpp declares strata::D, which include/strata/strata.hpp does not list: list it, or put "
              "it into strata::detail"});
    tree.write("core/b.hpp", "");
    tree.write("include/strata/strata.hpp", "//   core/a.hpp: A, B, kC, f, G\n//   core/c.hpp: H\n");
    CHECK(check_public_surface(tree.root()) ==
          Complaints{"include/strata/strata.hpp lists strata::G, which core/a.hpp does not declare",
                     "include/strata/strata.hpp lists core/c.hpp, which is not there"});
  }
  TEST_CASE("finds words that only some compilers know") {
    const Tree tree;
    tree.write("core/compiler.hpp", "#define STRATA_COLD [[gnu::cold]]\n");
    tree.write("core/a.cpp", "STRATA_COLD void f(const T& typeid_like);\n#pragma once\n");
    CHECK(check_compiler_words(tree.root()).empty());
    tree.write("query/b.hpp", "[[gnu::cold]] void f();\n#pragma GCC poison x\nint a = __builtin_ctz(1);\n");
    CHECK(check_compiler_words(tree.root()) ==
          Complaints{"query/b.hpp uses gnu::cold, which belongs into core/compiler.hpp",
                     "query/b.hpp uses #pragma GCC, which belongs into core/compiler.hpp",
                     "query/b.hpp uses __builtin_ctz, which belongs into core/compiler.hpp"});
  }
  TEST_CASE("finds a source that CMake does not build, one that is gone, and another version") {
    const Tree tree;
    tree.write("meson.build", "project(\n  'strata',\n  version: '1.2.0',\n)\n");
    tree.write("core/a.cpp", "");
    tree.write("include/strata/b.cpp", "");
    const std::string sources = "add_library(strata\n  core/a.cpp\n  include/strata/b.cpp\n)\n";
    tree.write("CMakeLists.txt", "project(strata VERSION 1.2.0 LANGUAGES CXX)\n" + sources);
    CHECK(check_cmake(tree.root()).empty());
    tree.write("CMakeLists.txt", "project(strata VERSION 1.1.0 LANGUAGES CXX)\n" + sources);
    tree.write("core/c.cpp", "");
    fs::remove(tree.root() / "include/strata/b.cpp");
    CHECK(check_cmake(tree.root()) ==
          Complaints{"CMakeLists.txt does not list core/c.cpp",
                     "CMakeLists.txt lists include/strata/b.cpp, which is not there",
                     "CMakeLists.txt has version \"1.1.0\", and meson.build \"1.2.0\""});
    tree.write("tests/consumers/conan/conanfile.py", "    version = \"1.3.0\"\n");
    CHECK(check_cmake(tree.root()).size() == 4);
  }
}
