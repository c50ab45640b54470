#pragma once

#include "bytes/shared_body.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace roost::bytes {

/// The bytes of an answer, in parts that other answers may have, too: one that differs little from the one
/// before shares all the rest of its memory. Copying it copies no byte.
class shared_body {
public:
  struct part {
    std::shared_ptr<const sealed_memory> memory;
    std::size_t at = 0, size = 0; ///< within the memory

    std::string_view bytes() const { return memory->bytes().substr(at, size); }
    /// The file that it is in, for sendfile(2); -1 where it is in plain memory.
    int file() const { return memory->descriptor(); }
  };

  shared_body() = default;
  /// In one part, in a file if that is worth it.
  explicit shared_body(std::string_view bytes);

  const std::vector<part>& parts() const { return parts_; } ///< none of them empty
  std::size_t size() const { return size_; }

private:
  friend class body_writer;
  void append(part next);

  std::vector<part> parts_;
  std::size_t size_ = 0;
};

/// All of it in one piece, e.g. for a test.
std::string to_string(const shared_body& body);

/// Puts a body together of bytes of its own and of parts of others.
class body_writer {
public:
  /// Where they are within the body's own memory.
  shared_body::part append(std::string_view bytes);
  void append(const shared_body::part& of_another);

  /// After the last byte; once.
  shared_body finish();

  /// The memory that parts of append() are in, known after finish().
  const std::shared_ptr<const sealed_memory>& own_memory() const { return own_memory_; }

private:
  memory_writer own_;
  shared_body body_; ///< its own parts have no memory yet
  std::shared_ptr<const sealed_memory> own_memory_;
};

} // namespace roost::bytes
