#pragma once

#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

/// Files and folders that only their owner may access.
namespace roost::files {

/// Creates the folder and its missing parents with mode 0700. Leaves existing ones as they are.
std::error_code make_private_folder(const std::filesystem::path& folder);

/// Creates an empty file with mode 0600, whatever the process's umask. Leaves an existing one as it is.
std::error_code make_private_file(const std::filesystem::path& file);

/// Whether users other than the file's owner may read or change it.
bool is_open_to_others(const std::filesystem::path& file);

/// An open file or folder; the destructor closes it.
class open_file {
public:
  /// Opens it with O_CLOEXEC and these flags of open(2), new files with mode 0600.
  open_file(const std::filesystem::path& path, int flags);
  open_file(open_file&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  open_file& operator=(open_file&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~open_file();

  /// Whether it was opened; if not, errno says why.
  explicit operator bool() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }

  /// Writes the whole text. Returns false, with errno set, if that fails.
  bool write(std::string_view text) const;

private:
  int descriptor_;
};

} // namespace roost::files
