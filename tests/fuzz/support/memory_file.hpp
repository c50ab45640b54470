#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace roost::fuzz {

/// A file in memory, for functions that read a path.
class memory_file {
public:
  memory_file() : descriptor_(memfd_create("input", 0)) {
    if (descriptor_ < 0) throw std::runtime_error("a file in memory cannot be created");
  }
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;
  ~memory_file() { close(descriptor_); }

  /// Replaces the content.
  void write(std::string_view text) {
    if (ftruncate(descriptor_, 0) != 0 ||
        pwrite(descriptor_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
      throw std::runtime_error("a file in memory cannot be written");
  }

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

private:
  int descriptor_;
};

} // namespace roost::fuzz
