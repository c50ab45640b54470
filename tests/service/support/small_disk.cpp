#include "service/support/small_disk.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sched.h>
#include <string>
#include <sys/mount.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace roost::testing {

namespace {

[[noreturn]] void throw_errno(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// Mounts of this thread's own, which nobody else sees and which end with it.
bool has_own_mounts() {
  static const bool own =
      ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
  return own;
}

} // namespace

bool small_disk::is_possible() { return has_own_mounts(); }

small_disk::small_disk(std::filesystem::path over, std::size_t bytes) : folder_(std::move(over)) {
  if (!has_own_mounts()) throw_errno("unshare");
  const auto options = "mode=0755,size=" + std::to_string(bytes);
  if (::mount("tmpfs", folder_.c_str(), "tmpfs", 0, options.c_str()) != 0) throw_errno("mount");
}

small_disk::~small_disk() { ::umount2(folder_.c_str(), MNT_DETACH); }

void small_disk::fill() const {
  const int file = ::open(filler().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) throw_errno("open");
  const std::string piece(4096, 'x');
  while (::write(file, piece.data(), piece.size()) > 0) {
  }
  const bool full = errno == ENOSPC;
  ::close(file);
  if (!full) throw_errno("write");
}

void small_disk::make_room() const { std::filesystem::remove(filler()); }

} // namespace roost::testing
