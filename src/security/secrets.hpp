#pragma once

#include <array>
#include <filesystem>
#include <stdexcept>

namespace roost::security {

/// The key that partner tokens are signed with.
using signing_key = std::array<unsigned char, 32>;

/// The secrets file cannot be used; what() is one line for the operator and holds no secret.
class secrets_error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// What the service must keep to itself.
struct secrets {
  signing_key token_key; ///< for partner tokens

  /// Reads the file, or makes it with new secrets when there is none: mode 0600, in a folder made with 0700.
  /// Of several processes that start at once one makes the file and all read the same. Throws secrets_error
  /// for a file that others than its owner may read, and for one that does not hold what it must: nothing is
  /// ever replaced, since that would end every token.
  static secrets load_or_create(const std::filesystem::path& path);
};

} // namespace roost::security
