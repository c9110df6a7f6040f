#include "filter.hpp"

#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <system_error>

extern char** environ;  // as POSIX has it: declared by the program

namespace scene {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// A nameless file: unlike a pipe, it takes all input before the other program reads any.
File temporary_file() {
  File file(std::tmpfile(), std::fclose);
  if (!file) throw std::system_error(errno, std::generic_category(), "cannot create a temporary file");
  return file;
}

/// Returns: the exit status; nothing if there is no such program.
std::optional<int> run(const std::string& program, int input, int output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  std::string name = program;
  char* const arguments[] = {name.data(), nullptr};
  pid_t child = 0;
  const int error = posix_spawnp(&child, name.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT) return std::nullopt;
  if (error != 0) throw std::system_error(error, std::generic_category(), "cannot run " + program);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

std::string content_of(std::FILE* file) {
  std::rewind(file);
  std::string content;
  char buffer[4096];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file)) content.append(buffer, count);
  return content;
}

}  // namespace

std::optional<std::string> run_filter(const std::string& program, const std::string& input) {
  const File in = temporary_file();
  const File out = temporary_file();
  std::fwrite(input.data(), 1, input.size(), in.get());
  std::rewind(in.get());
  const std::optional<int> status = run(program, fileno(in.get()), fileno(out.get()));
  if (!status) return std::nullopt;
  if (*status != 0) throw std::runtime_error(program + " failed");
  return content_of(out.get());
}

}  // namespace scene
