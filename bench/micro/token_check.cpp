#include "http/management/management_access.hpp"

#include <benchmark/benchmark.h>
#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>

/// The check of an access token as every management route makes it before its handler runs: the lease, the
/// origin, the token, the user, the ended sessions and the permission.
namespace roost::http {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view site = "https://roost.example";
constexpr std::size_t users = 10'000;

domain::uuid numbered(std::uint8_t kind, std::size_t number) {
  domain::uuid id{};
  id.data[0] = kind;
  for (std::size_t i = 0; i < sizeof number; ++i)
    id.data[8 + i] = static_cast<std::uint8_t>(number >> (8 * i));
  return id;
}

security::key_ring ring() {
  security::named_key key;
  key.id = "bench";
  key.key.fill(7);
  return security::key_ring({key});
}

/// What a request's check goes by, of a server with many users.
class scene {
public:
  scene() : verifier_(std::string(site), "") {
    keys_ = std::make_shared<const security::key_ring>(ring());
    verifier_.replace_keys(keys_);
    std::vector<actors::known_user> known(users);
    for (std::size_t i = 0; i < users; ++i) {
      known[i].id = numbered(1, i);
      known[i].role = "Admin";
    }
    users_.set(std::make_shared<const actors::user_directory>(std::move(known)));
    auto lease = std::make_shared<actors::held_lease>();
    lease->hold({}, std::chrono::steady_clock::now() + 1h);
    services_.base_url = site;
    services_.lease = std::move(lease);
    services_.users = &users_;
    services_.access_tokens = &verifier_;
    services_.ended = std::make_shared<const actors::session_register>();
    services_.roles = {{"Admin", {"bookings.view", "account_settings.module"}}};
    services_.now = [] {
      return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    };
    checks_ = management_checks(services_, "account_settings.module").checks;
  }

  std::string token() const {
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    security::access_claims claims;
    claims.issuer = claims.audience = site;
    claims.user_id = numbered(1, users / 3);
    claims.session_id = numbered(2, 1);
    claims.issued = now;
    claims.expires = now + 15min;
    return "Bearer " + security::issue_access_token(*keys_, claims);
  }

  void forget_tokens() { verifier_.replace_keys(keys_); }

  /// Throws http::error for a token that is not good.
  void check(const std::string& authorization) const {
    request asked;
    asked.method = "GET";
    asked.fields = {{"Host", "roost.example"}, {"Accept", "*/*"}, {"Authorization", authorization}};
    for (const auto& each : checks_) each(asked);
    if (caller_of(asked).user == nullptr) std::abort();
  }

private:
  security::access_token_verifier verifier_;
  std::shared_ptr<const security::key_ring> keys_;
  actors::published<actors::user_directory> users_;
  management_services services_;
  std::vector<http::check> checks_;
};

void check_token(benchmark::State& state, bool is_known) {
  scene of;
  const auto token = of.token();
  for (auto _ : state) {
    if (!is_known) of.forget_tokens();
    of.check(token);
  }
}

BENCHMARK_CAPTURE(check_token, known, true); // it was seen before
BENCHMARK_CAPTURE(check_token, new, false);  // its signature is checked, too

} // namespace
} // namespace roost::http
