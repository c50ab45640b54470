#include "files/private_files.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace roost::files {

namespace {

constexpr mode_t owner_only_file = 0600, owner_only_folder = 0700, others = 0077;

std::error_code last_error() { return {errno, std::generic_category()}; }

} // namespace

std::error_code make_private_folder(const std::filesystem::path& folder) {
  if (folder.empty() || ::access(folder.c_str(), F_OK) == 0) return {};
  if (const auto error = make_private_folder(folder.parent_path())) return error;
  if (::mkdir(folder.c_str(), owner_only_folder) != 0 && errno != EEXIST) return last_error();
  return {};
}

std::error_code make_private_file(const std::filesystem::path& file) {
  const open_file created(file, O_WRONLY | O_CREAT | O_EXCL);
  if (!created) return errno == EEXIST ? std::error_code{} : last_error();
  return ::fchmod(created.descriptor(), owner_only_file) == 0 ? std::error_code{} : last_error();
}

bool is_open_to_others(const std::filesystem::path& file) {
  struct stat status {};
  return ::stat(file.c_str(), &status) == 0 && (status.st_mode & others) != 0;
}

open_file::open_file(const std::filesystem::path& path, int flags)
    : descriptor_(::open(path.c_str(), flags | O_CLOEXEC, owner_only_file)) {}

open_file::~open_file() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool open_file::write(std::string_view text) const {
  while (!text.empty()) {
    const auto count = ::write(descriptor_, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

} // namespace roost::files
