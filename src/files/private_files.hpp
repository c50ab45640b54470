#pragma once

#include <filesystem>
#include <system_error>

/// Files and folders that only their owner may access.
namespace roost::files {

/// Creates the folder and its missing parents with mode 0700. Leaves existing ones as they are.
std::error_code make_private_folder(const std::filesystem::path& folder);

/// Creates an empty file with mode 0600, whatever the process's umask. Leaves an existing one as it is.
std::error_code make_private_file(const std::filesystem::path& file);

/// Whether users other than the file's owner may read or change it.
bool is_open_to_others(const std::filesystem::path& file);

} // namespace roost::files
