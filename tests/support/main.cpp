// The main function of every test program. Unlike doctest's own, it fails when no test case was selected.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <iostream>
#include <string_view>

#include "model_test.hpp"

namespace {

// Doctest's context does not say how many test cases its filters let through; its listeners are told.
unsigned g_selected = 0;

struct SelectionListener : doctest::IReporter {
  explicit SelectionListener(const doctest::ContextOptions&) {}
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats& stats) override {
    g_selected = stats.numTestCasesPassingFilters;
  }
  void test_case_start(const doctest::TestCaseData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};

REGISTER_LISTENER("selection", 1, SelectionListener);

}  // namespace

int main(int argc, char** argv) {
#ifdef STRATA_FUZZ
  if (argc > 1 && std::string_view(argv[1]) == "fuzz") {
    doctest::Context context;
    context.setAsDefaultForAssertsOutOfTestCases();  // Some model tests check what they call.
    return strata::test::fuzz(argc - 1, argv + 1);
  }
#endif
  doctest::Context context(argc, argv);
  const int status = context.run();
  if (context.shouldExit()) return status;  // --help, --list-test-cases and the like
  if (g_selected == 0) {
    std::cerr << "no test case was selected\n";
    return 1;
  }
  return status;
}
