// Contracts whose breach ends the process, because the function that checks them is noexcept.
#pragma once

#include <sys/wait.h>
#include <unistd.h>
#include <strata/strata.hpp>

#include <cstring>
#include <string>

namespace strata::test {

inline int message_pipe = -1;

/// Calls the function in a child process.
/// Returns: the message of the first contract that it breaks there; empty if it breaks none.
template <class Function>
std::string message_at_end(Function function) {
  int ends[2];
  if (::pipe(ends) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    message_pipe = ends[1];
    set_contract_handler([](const ContractFailure& failure) {
      const bool written = ::write(message_pipe, failure.message, std::strlen(failure.message)) > 0;
      ::_exit(written ? 0 : 1);
    });
    function();
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string message;
  char part[256];
  for (ssize_t bytes = 0; (bytes = ::read(ends[0], part, sizeof(part))) > 0;)
    message.append(part, static_cast<std::size_t>(bytes));
  ::close(ends[0]);
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child) return "no child process";
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? message : "the process crashed";
}

}  // namespace strata::test
