#include "bytes/shared_body.hpp"

#include <cerrno>
#include <fcntl.h>
#include <memory>
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

constexpr std::size_t worth_a_file = 32 * 1024;
constexpr std::size_t write_size = 512 * 1024; // stays in the cache until it is written
constexpr std::size_t huge_page = 2 << 20;
constexpr std::size_t worth_gathering = 16 << 20;

#ifndef MADV_COLLAPSE
constexpr int MADV_COLLAPSE = 25; // Linux 6.1; older C libraries do not name it
#endif

/// Gathers the file's small pages into huge ones: sendfile(2) then hands over a page instead of 512, which
/// was measured at three quarters of the time an answer of 1.4 MB. A remainder of less than half a page stays
/// as it is. A system that cannot do it leaves everything as it was.
///
/// It pays after some twenty answers. The lists of a very large portfolio are read less often than that
/// before they are built again, and gathering them would be a third of their build.
void gather_pages(int descriptor, std::size_t size) {
  if (size > worth_gathering) return;
  const std::size_t gathered = (size + huge_page / 2) / huge_page * huge_page;
  if (gathered == 0 || (gathered > size && ::ftruncate(descriptor, static_cast<off_t>(gathered)) != 0))
    return;
  // A place of our own in which to find a boundary of huge pages.
  const std::size_t reserved = gathered + huge_page;
  void* const place =
      ::mmap(nullptr, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return;
  std::size_t space = reserved;
  void* aligned = place;
  std::align(huge_page, gathered, aligned, space);
  if (::mmap(aligned, gathered, PROT_READ, MAP_SHARED | MAP_FIXED, descriptor, 0) != MAP_FAILED)
    ::madvise(aligned, gathered, MADV_COLLAPSE);
  ::munmap(place, reserved);
}

/// What a socket has not sent yet must never change.
void seal_file(int descriptor) {
  if (::fcntl(descriptor, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot seal a memory file");
}

} // namespace

sealed_memory::sealed_memory(std::string bytes) : plain_(std::move(bytes)), bytes_(plain_) {}

sealed_memory::sealed_memory(int descriptor, std::size_t size) : descriptor_(descriptor) {
  try {
    gather_pages(descriptor, size);
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
  waiting_ += bytes;
  if (waiting_.size() >= write_size) flush();
}

std::shared_ptr<const sealed_memory> memory_writer::seal() {
  if (size() >= worth_a_file) flush();
  if (descriptor_ < 0) return std::make_shared<const sealed_memory>(std::move(waiting_));
  return std::shared_ptr<const sealed_memory>(new sealed_memory(std::exchange(descriptor_, -1), in_file_));
}

/// Without a file everything goes on waiting.
void memory_writer::flush() {
  if (descriptor_ < 0) descriptor_ = ::memfd_create("roost-answer", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor_ < 0) return;
  write_all(descriptor_, waiting_);
  in_file_ += waiting_.size();
  waiting_.clear();
}

} // namespace roost::bytes
