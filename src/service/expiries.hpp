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

/// Of a platform's tokens the one whose end matters: the first that will end, or else the last that has ended
/// and was not replaced, so that the platform gets 401; null where it has none.
const token_expiry* decisive_token(const std::vector<token_expiry>& ends, const std::string& platform,
                                   domain::timestamp now);

/// Measures when the listener's certificate and partners' tokens end, and warns of it.
class expiries {
public:
  /// So long before its end a thing is warned of.
  static constexpr std::chrono::days soon{21};

  /// `credentials` must outlive the registry's last scrape, as this object.
  expiries(metrics::registry& registry, const std::vector<domain::platform>& platforms,
           const partner_credentials& credentials, actors::wall_clock now);

  /// The certificate that new connections get, from now on.
  void apply(http::certificate_facts certificate);

  /// After the credentials have changed: warns of tokens that it has not warned of. Any thread may call it.
  void note_tokens();

  /// Warns of everything that ends soon. To be called when the server starts or reloads, and once a day.
  void warn();

private:
  void measure();
  void warn_of_certificate(domain::timestamp now) const;
  void warn_of_tokens(domain::timestamp now, bool again);

  metrics::registry& registry_;
  const partner_credentials& credentials_;
  actors::wall_clock now_;
  std::map<std::string, metrics::gauge> token_ends_; ///< by platform
  std::mutex mutex_;                                 ///< of what follows
  std::optional<http::certificate_facts> certificate_;
  std::set<domain::uuid> told_, told_over_; ///< tokens that end, and that have ended
};

} // namespace roost
