#include "http/management/management_api.hpp"
#include "http/partner/partner_bodies.hpp"

#include <benchmark/benchmark.h>
#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>

namespace roost::http {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view site = "https://roost.example";
constexpr std::size_t users = 10'000;

domain::uuid numbered_id(std::uint8_t kind, std::size_t number) {
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

/// The checks of a management route before its handler, on a server with many users: the lease, the origin,
/// the access token, the user, ended sessions and the permission.
class route_checks {
public:
  route_checks() : verifier_(std::string(site), "") {
    keys_ = std::make_shared<const security::key_ring>(ring());
    verifier_.replace_keys(keys_);
    std::vector<actors::known_user> known(users);
    for (std::size_t i = 0; i < users; ++i) {
      known[i].id = numbered_id(1, i);
      known[i].role = "Admin";
    }
    users_.set(std::make_shared<const actors::user_directory>(std::move(known)));
    auto lease = std::make_shared<actors::held_lease>();
    lease->hold({}, actors::held_lease::clock::now() + 1h);
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
    claims.user_id = numbered_id(1, users / 3);
    claims.session_id = numbered_id(2, 1);
    claims.issued = now;
    claims.expires = now + 15min;
    return "Bearer " + security::issue_access_token(*keys_, claims);
  }

  void forget_tokens() { verifier_.replace_keys(keys_); }

  /// Throws http::error for an invalid token.
  void check(const std::string& authorization) const {
    request request;
    request.method = "GET";
    request.fields = {{"Host", "roost.example"}, {"Accept", "*/*"}, {"Authorization", authorization}};
    for (const auto& check : checks_) check(request);
    if (caller_of(request).user == nullptr) std::abort();
  }

private:
  security::access_token_verifier verifier_;
  std::shared_ptr<const security::key_ring> keys_;
  actors::published<actors::user_directory> users_;
  management_services services_;
  std::vector<http::check> checks_;
};

void check_token(benchmark::State& state, bool is_known) {
  route_checks checks;
  const auto token = checks.token();
  for (auto _ : state) {
    if (!is_known) checks.forget_tokens();
    checks.check(token);
  }
}

BENCHMARK_CAPTURE(check_token, known, true); // with a cached signature
BENCHMARK_CAPTURE(check_token, new, false);  // including the check of its signature

// Parsing the body of a booking submission

constexpr std::string_view submission =
    R"({"externalId":"1000001","bookingId":"0C1B5D1E-4A0E-4C57-9C8B-6C2E1B1F0A11","checkInDate":"2030-02-01",)"
    R"("checkOutDate":"2030-05-01","numberOfExtraTenants":1,"platformProviderPaymentValue":683.05,)"
    R"("otaCommissionValue":35,"tenant":{"firstName":"Ada","lastName":"Marsh","email":"ada@guests.example",)"
    R"("fiscalId":"X1234567L","phone":"+34 600 000 000","nationality":"GB"}})";

void decode_submission(benchmark::State& state) {
  const std::string text(submission);
  std::string body;
  for (auto _ : state) {
    body = text;
    body.reserve(text.size() + 64); // simdjson's padding
    benchmark::DoNotOptimize(parse_booking_submission(body));
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(decode_submission);

} // namespace
} // namespace roost::http
