#pragma once

#include <string_view>

namespace roost::http {

/// Bytes in a sealed memfd: readable as memory and sendable with sendfile(2), which hands its pages to the
/// socket where write(2) copies them.
class sealed_memory {
public:
  /// Throws std::system_error when the system has no memory or file descriptor left.
  explicit sealed_memory(std::string_view bytes);
  ~sealed_memory();
  sealed_memory(const sealed_memory&) = delete;
  sealed_memory& operator=(const sealed_memory&) = delete;

  std::string_view bytes() const { return bytes_; }
  int descriptor() const { return descriptor_; }

private:
  int descriptor_;
  std::string_view bytes_;
};

} // namespace roost::http
