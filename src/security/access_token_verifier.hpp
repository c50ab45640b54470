#pragma once

#include "security/access_token.hpp"
#include "security/token_shards.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

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
  bool is_good(const access_claims& claims, std::string_view audience,
               std::chrono::system_clock::time_point now) const {
    return now < claims.expires && claims.issuer == issuer_ && claims.audience == audience &&
           claims.source == source_;
  }

  const std::string issuer_, source_;
  mutable token_shards<access_claims, checker, 1024> shards_; ///< about half a kilobyte a token
};

} // namespace roost::security
