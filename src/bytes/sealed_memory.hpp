#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace roost::bytes {

/// Bytes that never change again. Big ones are in a sealed memfd: readable as memory and sendable with
/// sendfile(2), which hands its pages to the socket where write(2) copies them.
class sealed_memory {
public:
  /// In plain memory, whatever their size.
  explicit sealed_memory(std::string bytes);
  ~sealed_memory();
  sealed_memory(const sealed_memory&) = delete;
  sealed_memory& operator=(const sealed_memory&) = delete;

  std::string_view bytes() const { return bytes_; }
  int descriptor() const { return descriptor_; } ///< of the file; -1: plain memory

private:
  friend class memory_writer;
  /// Takes the file over, and closes it also where it throws std::system_error: no memory is left.
  sealed_memory(int descriptor, std::size_t size);

  int descriptor_ = -1;
  std::string plain_;
  std::string_view bytes_;
};

/// Puts the bytes of a sealed_memory together. What is in its file already is nowhere else.
class memory_writer {
public:
  memory_writer() = default;
  ~memory_writer();
  memory_writer(const memory_writer&) = delete;
  memory_writer& operator=(const memory_writer&) = delete;

  /// Throws std::system_error when the system has no memory left.
  void append(std::string_view bytes);
  std::size_t size() const { return in_file_ + waiting_.size(); }

  /// After the last byte; once. Where there is no file to be had the bytes stay in plain memory.
  std::shared_ptr<const sealed_memory> seal();

private:
  void flush();

  std::string waiting_; ///< for the file
  std::size_t in_file_ = 0;
  int descriptor_ = -1;
};

} // namespace roost::bytes
