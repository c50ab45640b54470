#pragma once

#include "security/access_token.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace roost::security {

/// Decides for every request with an access token whether it is good. Safe to use from every thread at once.
///
/// A token's signature is checked when it is first seen, then remembered under its whole text; its lifetime
/// and its audience are looked at every time.
class access_token_verifier {
public:
  /// Whose tokens count, and where they must come from: empty, or connector_source.
  access_token_verifier(std::string issuer, std::string source)
      : issuer_(std::move(issuer)), source_(std::move(source)) {}

  /// Nothing for what is no token of ours for this audience, or has expired.
  std::optional<access_claims> claims_of(std::string_view text, std::string_view audience,
                                         std::chrono::system_clock::time_point now) const;

  /// The claims of a token whose signature is good.
  using checker = std::function<std::optional<access_claims>(std::string_view text)>;

  /// What checks signatures from now on; no token is good before the first call.
  void replace_checker(checker with);
  /// The same with HMAC and these keys.
  void replace_keys(std::shared_ptr<const key_ring> keys);

private:
  struct text_hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  /// Threads rarely meet in one shard.
  struct shard {
    std::mutex mutex;
    std::shared_ptr<const checker> check;
    std::unordered_map<std::string, access_claims, text_hash, std::equal_to<>> checked;
  };

  static constexpr std::size_t shard_count = 16;
  /// For each shard, about half a kilobyte each. Only tokens that we signed get here, so that a stranger
  /// cannot push them out.
  static constexpr std::size_t most_remembered = 1024;

  bool is_good(const access_claims& claims, std::string_view audience,
               std::chrono::system_clock::time_point now) const {
    return now < claims.expires && claims.issuer == issuer_ && claims.audience == audience &&
           claims.source == source_;
  }

  const std::string issuer_, source_;
  mutable std::array<shard, shard_count> shards_;
};

} // namespace roost::security
