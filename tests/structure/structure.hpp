// The rules about the shape of the source tree, each a function from a tree to its complaints.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace strata::test {

/// One sentence each, beginning with the path of the file, relative to the root; empty when the rule holds.
using Complaints = std::vector<std::string>;

/// Rooms include only themselves and the rooms to their left, by relative paths; no room includes the public API.
/// The tests of a room reach no further than the room itself.
Complaints check_includes(const std::filesystem::path& root);

/// No source file is over 500 lines.
Complaints check_file_sizes(const std::filesystem::path& root);

/// Every header opens with a line that says what lives there, and has its `#pragma once`.
Complaints check_header_openings(const std::filesystem::path& root);

/// The top level holds what the design names, and nothing else.
Complaints check_top_level(const std::filesystem::path& root);

/// The C++ blocks of `document`, one after the other, are the text of `source`, apart from empty lines.
Complaints check_quotation(const std::filesystem::path& document, const std::filesystem::path& source);

/// Every example has a page that quotes its source and its output, is listed in tests/examples/README.md, and is run.
Complaints check_examples(const std::filesystem::path& root);

/// All code in the last column of the tables "... | write |" of `document` is in `source`, apart from spaces.
Complaints check_tables(const std::filesystem::path& document, const std::filesystem::path& source);

/// Links in Markdown files to files of this tree lead somewhere.
Complaints check_links(const std::filesystem::path& root);

/// README.md names every header of include/strata.
Complaints check_header_map(const std::filesystem::path& root);

/// Every test file of a room is one test suite, named for the file: tests/core/slots_test.cpp is
/// "core/slots", and so is tests/core/slots_model_test.cpp.
Complaints check_test_suites(const std::filesystem::path& root);

/// tests/meson.build names every test file of a room.
Complaints check_tests_built(const std::filesystem::path& root);

/// Every invariant that a header numbers ("///   S1. ...") has a label of its own in the library, and a check that names it
/// ("S1: ..."); no check names another one.
Complaints check_invariant_labels(const std::filesystem::path& root);

/// The folders inside a room have an order, as the rooms have: a file includes only its own folder and those to its left.
Complaints check_folders(const std::filesystem::path& root);

/// The names that the headers declare in namespace strata are those that the comment of include/strata/strata.hpp lists.
Complaints check_public_surface(const std::filesystem::path& root);

/// CMakeLists.txt lists the sources of all rooms. It has the version of meson.build, and so have the recipes in
/// tests/consumers.
Complaints check_cmake(const std::filesystem::path& root);

/// What only some compilers know is in core/compiler.hpp, and nowhere else in the library.
Complaints check_compiler_words(const std::filesystem::path& root);

}  // namespace strata::test
