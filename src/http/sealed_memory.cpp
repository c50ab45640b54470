#include "http/sealed_memory.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

namespace roost::http {
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

} // namespace

sealed_memory::sealed_memory(std::string_view bytes)
    : descriptor_(::memfd_create("roost-answer", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "cannot make a memory file");
  try {
    write_all(descriptor_, bytes);
    // What a socket has not sent yet must never change.
    if (::fcntl(descriptor_, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
      throw std::system_error(errno, std::generic_category(), "cannot seal a memory file");
    bytes_ = map(descriptor_, bytes.size());
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

sealed_memory::~sealed_memory() {
  ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  ::close(descriptor_);
}

} // namespace roost::http
