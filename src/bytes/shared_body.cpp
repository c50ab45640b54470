#include "bytes/shared_body.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace roost::bytes {
namespace {

void write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) throw std::system_error(errno, std::generic_category(), "cannot fill a memory file");
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

std::string_view map(int descriptor, std::size_t size) {
  void* const memory = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED)
    throw std::system_error(errno, std::generic_category(), "cannot map a memory file");
  return {static_cast<const char*>(memory), size};
}

constexpr std::size_t min_file_size = 32 * 1024;
constexpr std::size_t write_size = 512 * 1024; // still in the processor's cache when it is written
constexpr std::size_t huge_page = 2 << 20;
constexpr std::size_t max_collapsed_size = 16 << 20;

#ifndef MADV_COLLAPSE
constexpr int MADV_COLLAPSE = 25; // Linux 6.1; older C libraries do not define it
#endif

/// Collapses the file's small pages into huge ones: sendfile(2) then passes one page instead of 512, which
/// took three quarters of the time for a response of 1.4 MB. A remainder of less than half a huge page stays
/// as it is. Does nothing on systems without MADV_COLLAPSE.
///
/// It pays off after some twenty responses. The lists of a very large portfolio are read less often before
/// they are rebuilt, and collapsing would take a third of the build time.
void collapse_pages(int descriptor, std::size_t size) {
  if (size > max_collapsed_size) return;
  const std::size_t collapsed = (size + huge_page / 2) / huge_page * huge_page;
  if (collapsed == 0 || (collapsed > size && ::ftruncate(descriptor, static_cast<off_t>(collapsed)) != 0))
    return;
  // Reserve address space that contains an aligned huge page.
  const std::size_t reserved = collapsed + huge_page;
  void* const place =
      ::mmap(nullptr, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return;
  std::size_t space = reserved;
  void* aligned = place;
  std::align(huge_page, collapsed, aligned, space);
  if (::mmap(aligned, collapsed, PROT_READ, MAP_SHARED | MAP_FIXED, descriptor, 0) != MAP_FAILED)
    ::madvise(aligned, collapsed, MADV_COLLAPSE);
  ::munmap(place, reserved);
}

/// Makes the file immutable: bytes that a socket has not sent yet must never change. The kernel waits for
/// pages that it is moving, for 150 ms, and then reports EBUSY.
void seal_file(int descriptor) {
  constexpr int attempts = 20;
  for (int i = 0; i < attempts; ++i) {
    if (::fcntl(descriptor, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
      return;
    if (errno != EBUSY) break;
  }
  throw std::system_error(errno, std::generic_category(), "cannot seal a memory file");
}

} // namespace

sealed_memory::sealed_memory(std::string bytes) : plain_(std::move(bytes)), bytes_(plain_) {}

sealed_memory::sealed_memory(int descriptor, std::size_t size) : descriptor_(descriptor) {
  try {
    collapse_pages(descriptor, size);
    seal_file(descriptor);
    bytes_ = map(descriptor, size);
  } catch (...) {
    ::close(descriptor);
    throw;
  }
}

sealed_memory::~sealed_memory() {
  if (descriptor_ < 0) return;
  ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  ::close(descriptor_);
}

memory_writer::~memory_writer() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void memory_writer::append(std::string_view bytes) {
  pending_ += bytes;
  if (pending_.size() >= write_size) flush();
}

std::shared_ptr<const sealed_memory> memory_writer::seal() {
  if (size() >= min_file_size) flush();
  if (descriptor_ < 0) return std::make_shared<const sealed_memory>(std::move(pending_));
  return std::shared_ptr<const sealed_memory>(new sealed_memory(std::exchange(descriptor_, -1), in_file_));
}

/// Leaves the bytes pending if no file can be created.
void memory_writer::flush() {
  if (descriptor_ < 0) descriptor_ = ::memfd_create("roost-response", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor_ < 0) return;
  write_all(descriptor_, pending_);
  in_file_ += pending_.size();
  pending_.clear();
}

shared_body::shared_body(std::string_view bytes) {
  memory_writer writer;
  writer.append(bytes);
  append({writer.seal(), 0, bytes.size()});
}

/// Merges the part with the last one if it follows that in memory: each part costs readers a system call.
void shared_body::append(part next) {
  if (next.size == 0) return;
  size_ += next.size;
  auto* const last = parts_.empty() ? nullptr : &parts_.back();
  if (last && last->memory == next.memory && last->at + last->size == next.at)
    last->size += next.size;
  else
    parts_.push_back(std::move(next));
}

std::string to_string(const shared_body& body) {
  std::string text;
  text.reserve(body.size());
  for (const auto& part : body.parts()) text += part.bytes();
  return text;
}

shared_body::part body_writer::append(std::string_view bytes) {
  shared_body::part part{nullptr, own_.size(), bytes.size()};
  own_.append(bytes);
  body_.append(part);
  return part;
}

void body_writer::append(const shared_body::part& shared) { body_.append(shared); }

shared_body body_writer::finish() {
  own_memory_ = own_.seal();
  for (auto& part : body_.parts_)
    if (!part.memory) part.memory = own_memory_;
  return std::move(body_);
}

} // namespace roost::bytes
