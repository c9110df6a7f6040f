#include "../../core/contract.hpp"

#include <doctest/doctest.h>

#include <string>

namespace strata::test::contract_test {

namespace {

std::string g_heard;

void listen(const ContractFailure& failure) {
  g_heard = std::string(failure.condition) + ": " + failure.message;
  throw std::runtime_error("from the handler");
}

void divide(int by) {
  STRATA_EXPECTS(by != 0, "divide by something else than " + std::to_string(by));
}

}  // namespace

TEST_SUITE("core/contract") {
  TEST_CASE("a contract that holds does nothing, and one that does not throws its sentence") {
    CHECK_NOTHROW(divide(1));
    CHECK_THROWS_WITH_AS(divide(0), "divide by something else than 0", ContractViolation);
  }
  TEST_CASE("a violation is a logic error") {
    CHECK_THROWS_AS(divide(0), std::logic_error);
  }
  TEST_CASE("another handler is told the condition and the sentence, and the default can be restored") {
    const ContractHandler before = set_contract_handler(listen);
    CHECK_THROWS_WITH(divide(0), "from the handler");
    CHECK(g_heard == "by != 0: divide by something else than 0");
    CHECK((set_contract_handler(nullptr) == listen));
    CHECK_THROWS_AS(divide(0), ContractViolation);
    CHECK((set_contract_handler(before) != listen));
  }
}

}  // namespace strata::test::contract_test
