#pragma once

#include "actors/runtime/clock.hpp"
#include "domain/platform.hpp"
#include "http/protocol/settings.hpp"
#include "metrics/registry.hpp"
#include "service/partner_credentials.hpp"

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace roost {

/// Returns the token whose expiry matters for a platform: the first to expire, or, if all have expired, the
/// last one that was not replaced, so that the platform gets 401. Null if the platform has none.
const token_expiry* decisive_token(const std::vector<token_expiry>& tokens, const std::string& platform,
                                   domain::timestamp now);

/// Exports when the listener's certificate and partners' tokens expire, and logs warnings.
class expiries {
public:
  /// How long before expiry to warn.
  static constexpr std::chrono::days warning_period{21};

  /// `credentials` and this object must outlive the registry's last scrape.
  expiries(metrics::registry& registry, const std::vector<domain::platform>& platforms,
           const partner_credentials& credentials, actors::wall_clock now);

  /// Sets the certificate that new connections get.
  void apply(http::certificate_facts certificate);

  /// Called after credentials change: warns of tokens that it has not warned of before. Thread-safe.
  void note_tokens();

  /// Warns of everything that expires soon. Called when the server starts or reloads, and once a day.
  void warn();

private:
  void measure();
  void warn_of_certificate(domain::timestamp now) const;
  void warn_of_tokens(domain::timestamp now, bool repeat);

  metrics::registry& registry_;
  const partner_credentials& credentials_;
  actors::wall_clock now_;
  std::map<std::string, metrics::gauge> gauges_; ///< by platform
  std::mutex mutex_;                             ///< guards the members below
  std::optional<http::certificate_facts> certificate_;
  std::set<domain::uuid> warned_expiring_, warned_expired_; ///< tokens already warned of
};

} // namespace roost
