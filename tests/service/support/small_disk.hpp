#pragma once

#include <cstddef>
#include <filesystem>

namespace roost::testing {

/// A file system of a few megabytes over a folder, seen by this thread and the programs that it starts, and
/// gone with them.
class small_disk {
public:
  /// Whether this process may make one: it takes root.
  static bool is_possible();

  small_disk(std::filesystem::path over, std::size_t bytes);
  ~small_disk();
  small_disk(const small_disk&) = delete;
  small_disk& operator=(const small_disk&) = delete;

  /// Takes all the space that is left, and gives it back.
  void fill() const;
  void make_room() const;

private:
  std::filesystem::path filler() const { return folder_ / "filler"; }

  std::filesystem::path folder_;
};

} // namespace roost::testing
