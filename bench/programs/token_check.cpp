#include "http/management/management_access.hpp"

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

/// Checks one access token over and over, as every management route does before its handler runs, and tells
/// how long one check takes: the lease, the origin, the token, the user, the ended sessions and the
/// permission.
///
/// usage: bench_token_check known SECONDS  the token was seen before; prints nanoseconds
///        bench_token_check new SECONDS    it is seen for the first time, so its signature is checked, too
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

double nanoseconds_each(bool known, double seconds) {
  using clock = std::chrono::steady_clock;
  scene of;
  const auto token = of.token();
  std::int64_t checked = 0;
  std::chrono::duration<double, std::nano> taken{};
  const auto start = clock::now();
  do {
    for (int i = 0; i < 100; ++i, ++checked) {
      if (!known) of.forget_tokens();
      of.check(token);
    }
    taken = clock::now() - start;
  } while (taken < std::chrono::duration<double>(seconds));
  return taken.count() / static_cast<double>(checked);
}

int run(int count, char** arguments) {
  const std::string_view kind = count == 3 ? arguments[1] : "";
  if (kind != "known" && kind != "new") {
    std::cerr << "usage: bench_token_check known|new SECONDS\n";
    return 2;
  }
  std::cout << nanoseconds_each(kind == "known", std::strtod(arguments[2], nullptr)) << '\n';
  return 0;
}

} // namespace
} // namespace roost::http

int main(int count, char** arguments) { return roost::http::run(count, arguments); }
