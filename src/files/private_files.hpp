#pragma once

#include <filesystem>
#include <system_error>

/// Files and folders that only their owner may read.
namespace roost::files {

/// Makes the folder with mode 0700, and those above it that are missing. One that is there stays as it is.
std::error_code make_private_folder(const std::filesystem::path& folder);

/// Makes an empty file with mode 0600, whatever the process's mask is. One that is there stays as it is.
std::error_code make_private_file(const std::filesystem::path& file);

/// Whether others than the file's owner may read or change it.
bool is_open_to_others(const std::filesystem::path& file);

} // namespace roost::files
