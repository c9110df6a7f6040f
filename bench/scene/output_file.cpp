#include "output_file.hpp"

#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace scene {

void write_file(const std::string& path, std::string_view content) {
  std::ofstream file(path, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (!file)
    throw std::runtime_error(path + ": cannot be written: " + std::generic_category().message(errno));
}

}  // namespace scene
