#include "cli/input_file.hpp"

#include "cli/usage_error.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace roost::cli {

/// Reads to the end, so that a pipe does as well as a file.
std::string read_file(const std::string& name) {
  std::error_code not_there;
  errno = 0;
  std::ifstream file{name, std::ios::binary};
  if (!file) throw usage_error(name + ": cannot be read: " + std::generic_category().message(errno));
  if (std::filesystem::is_directory(name, not_there)) throw usage_error(name + ": is a folder, not a file");
  std::string text;
  constexpr std::size_t step = 1 << 20;
  std::size_t size = 0;
  do {
    text.resize(size + step);
    file.read(text.data() + size, step);
    size += static_cast<std::size_t>(file.gcount());
  } while (file);
  if (file.bad())
    throw usage_error(name + ": cannot be read to its end: " + std::generic_category().message(errno));
  text.resize(size);
  return text;
}

} // namespace roost::cli
