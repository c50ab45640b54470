#pragma once

#include "security/token.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace roost::security {

/// The ids of the tokens that the store holds as issued and not ended.
using live_tokens = std::unordered_set<domain::uuid, domain::uuid_hash>;

/// Decides for every request of a partner whether its token is let in (Partner API, Authentication, rules 1
/// and 7). Safe to use from every thread at once.
///
/// A token's signature is checked when it is first seen, then remembered under its whole text; its lifetime,
/// its platform and whether it is among the live ones are looked at every time.
class token_verifier {
public:
  /// No token is live before replace_live().
  explicit token_verifier(const signing_key& key);

  /// Whether `text` is a live token for `platform` that has not expired at `now`. A token whose row is gone
  /// is refused like one that was ended.
  bool accepts(std::string_view text, std::string_view platform,
               std::chrono::system_clock::time_point now) const;

  /// Takes the store's present list. Calls of accepts() that begin later go by it.
  void replace_live(std::shared_ptr<const live_tokens> live);

private:
  struct text_hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  /// Threads rarely meet in one shard. A token always falls into the same one, so that a look at the shard's
  /// own pointer to the list costs no counting of references.
  struct shard {
    std::mutex mutex;
    std::shared_ptr<const live_tokens> live;
    std::unordered_map<std::string, token_claims, text_hash, std::equal_to<>> checked;
  };

  static constexpr std::size_t shard_count = 16;
  /// For each shard. Only tokens that we signed get here, so that a stranger cannot push them out.
  static constexpr std::size_t most_remembered = 256;

  signing_key key_;
  mutable std::array<shard, shard_count> shards_;
};

} // namespace roost::security
