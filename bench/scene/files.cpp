#include "files.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <system_error>

namespace scene {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 30;

constexpr std::string_view kMagic = "glTF";
constexpr std::size_t kHeaderSize = 12;
constexpr std::size_t kChunkHeaderSize = 8;
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;  // "JSON"

InputError last_system_error() {
  return InputError(std::generic_category().message(errno));
}

std::uint32_t little_endian(std::string_view bytes, std::size_t offset) {
  std::uint32_t value = 0;
  for (std::size_t byte = 4; byte-- > 0;)
    value = value << 8U | static_cast<unsigned char>(bytes[offset + byte]);
  return value;
}

/// Errors: InputError if a .glb has too few bytes; `needs` is followed by how many it needs, `available` by how many
/// there are.
void require(const char* needs, std::size_t needed, const char* available, std::size_t bytes) {
  if (needed > bytes)
    throw InputError("truncated .glb: " + std::string(needs) + ' ' + std::to_string(needed) + ", but " +
                     available + ' ' + std::to_string(bytes) + " bytes");
}

std::string_view json_chunk(std::string_view bytes) {
  constexpr const char* kFileHas = "the file has";
  constexpr const char* kHeaderDeclares = "its header declares";
  require("its header needs", kHeaderSize, kFileHas, bytes.size());
  if (const std::uint32_t version = little_endian(bytes, 4); version != 2)
    throw InputError("is version " + std::to_string(version) + " of the .glb format; only 2 is supported");
  const std::uint32_t length = little_endian(bytes, 8);
  require(kHeaderDeclares, length, kFileHas, bytes.size());

  const std::size_t begin = kHeaderSize + kChunkHeaderSize;
  require("its first chunk's header ends at byte", begin, kHeaderDeclares, length);
  const std::uint32_t chunk_length = little_endian(bytes, kHeaderSize);
  if (little_endian(bytes, kHeaderSize + 4) != kJsonChunk)
    throw InputError("ill-formed .glb: its first chunk is not JSON");
  require("its JSON chunk ends at byte", begin + chunk_length, kHeaderDeclares, length);
  return bytes.substr(begin, chunk_length);
}

}  // namespace

std::string read_file(const std::string& path) {
  // Opening a FIFO would wait for a writer, and a device may have no end.
  std::error_code unknown;  // What cannot be asked about cannot be opened either: fopen says why.
  const std::filesystem::file_status status = std::filesystem::status(path, unknown);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
      !std::filesystem::is_directory(status))
    throw InputError("is not a regular file");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) throw last_system_error();
  std::string bytes;
  char buffer[1 << 16];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file.get())) {
    if (bytes.size() + count > kMaxBytes) throw InputError("is larger than 1 GiB");
    bytes.append(buffer, count);
  }
  if (std::ferror(file.get()) != 0) throw last_system_error();
  return bytes;
}

std::string_view json_text(std::string_view bytes) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (bytes.empty()) throw InputError("not a glTF file: it is empty");
  if (bytes.starts_with(kMagic)) return json_chunk(bytes);
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || bytes[first] != '{')
    throw InputError("not a glTF file: it begins neither with a .glb header nor with a JSON object");
  return bytes;
}

void write_file(const std::string& path, std::string_view content) {
  std::ofstream file(path, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (!file)
    throw std::runtime_error(path + ": cannot be written: " + std::generic_category().message(errno));
}

std::string gnuplot_string(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "''" : std::string(1, c);
  return result + "'";
}

bool draw_svg(const std::string& path, const std::string& script) {
  if (std::system("command -v gnuplot >/dev/null") != 0) return false;
  write_file(path, "");  // Says why, if it cannot be.
  const std::string text = "set output " + gnuplot_string(path) + '\n' + script;
  std::FILE* const gnuplot = popen("gnuplot", "w");
  if (gnuplot == nullptr) throw last_system_error();
  std::fwrite(text.data(), 1, text.size(), gnuplot);
  if (pclose(gnuplot) != 0) throw std::runtime_error(path + ": gnuplot cannot draw it (see above)");
  return true;
}

}  // namespace scene
