#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace roost::bytes {

/// Immutable bytes. Large ones are in a sealed memfd, readable as memory and sendable with sendfile(2), which
/// passes its pages to the socket where write(2) copies them.
class sealed_memory {
public:
  /// Keeps the bytes in plain memory, whatever their size.
  explicit sealed_memory(std::string bytes);
  ~sealed_memory();
  sealed_memory(const sealed_memory&) = delete;
  sealed_memory& operator=(const sealed_memory&) = delete;

  std::string_view bytes() const { return bytes_; }
  int descriptor() const { return descriptor_; } ///< of the memfd; -1 for plain memory

private:
  friend class memory_writer;
  /// Takes ownership of the file, and closes it even if it throws std::system_error: out of memory.
  sealed_memory(int descriptor, std::size_t size);

  int descriptor_ = -1;
  std::string plain_;
  std::string_view bytes_;
};

/// Builds a sealed_memory. Bytes that are already in its file are not kept anywhere else.
class memory_writer {
public:
  memory_writer() = default;
  ~memory_writer();
  memory_writer(const memory_writer&) = delete;
  memory_writer& operator=(const memory_writer&) = delete;

  /// Throws std::system_error if the system is out of memory.
  void append(std::string_view bytes);
  std::size_t size() const { return in_file_ + pending_.size(); }

  /// Call once, after the last byte. If no file can be created, the bytes stay in plain memory.
  std::shared_ptr<const sealed_memory> seal();

private:
  void flush();

  std::string pending_; ///< not yet in the file
  std::size_t in_file_ = 0;
  int descriptor_ = -1;
};

/// The body of a response, in parts that other bodies may share: one that differs little from its predecessor
/// shares the rest of its memory. Copying it copies no bytes.
class shared_body {
public:
  struct part {
    std::shared_ptr<const sealed_memory> memory;
    std::size_t at = 0, size = 0; ///< within the memory

    std::string_view bytes() const { return memory->bytes().substr(at, size); }
    /// The file for sendfile(2); -1 for plain memory.
    int file() const { return memory->descriptor(); }
  };

  shared_body() = default;
  /// A single part, in a file if it is large enough.
  explicit shared_body(std::string_view bytes);

  const std::vector<part>& parts() const { return parts_; } ///< none of them empty
  std::size_t size() const { return size_; }

private:
  friend class body_writer;
  void append(part next);

  std::vector<part> parts_;
  std::size_t size_ = 0;
};

/// Copies the whole body into one string, e.g. for a test.
std::string to_string(const shared_body& body);

/// Builds a body from new bytes and from parts of other bodies.
class body_writer {
public:
  /// Returns the position of the bytes in the body's own memory.
  shared_body::part append(std::string_view bytes);
  void append(const shared_body::part& shared);

  /// Call once, after the last byte.
  shared_body finish();

  /// The memory with the bytes passed to append(); known after finish().
  const std::shared_ptr<const sealed_memory>& own_memory() const { return own_memory_; }

private:
  memory_writer own_;
  shared_body body_; ///< its own parts have no memory yet
  std::shared_ptr<const sealed_memory> own_memory_;
};

} // namespace roost::bytes
