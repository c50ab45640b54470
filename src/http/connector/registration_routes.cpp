#include "http/connector/registration_routes.hpp"

#include "http/connector/client_registration.hpp"
#include "http/connector/connector_access.hpp"
#include "http/connector/oauth_responses.hpp"
#include "security/key.hpp"
#include "security/random.hpp"

namespace roost::http {

namespace {

/// It refers to the services, which outlive it.
struct registration_api {
  const connector_services& services;
};

asio::awaitable<response> register_client(const registration_api& api, request& req) {
  auto wanted = parse_registration(req.body, api.services.redirects);
  wanted.id = new_client_id();
  std::string secret;
  if (wanted.auth_method == store::confidential_client) {
    secret = security::random_secret();
    wanted.secret_hash = security::key_hash(secret);
  }
  const auto client = co_await api.services.management->connections->register_client(std::move(wanted));
  if (!client)
    throw oauth_refusal(503, "temporarily_unavailable",
                        "Too many clients are registered. Those that nobody uses are gone after an hour.");
  auto answer = json(201, registration_json(*client, secret));
  forbid_storing(answer);
  co_return answer;
}

} // namespace

std::vector<route> registration_routes(const connector_services& services) {
  const registration_api api{services};
  std::vector<route> routes{{"POST", "/oauth/register", body_policy::json,
                             connector_checks(services, "register", services.limits.registration),
                             with(api, register_client)}};
  answer_as_oauth(routes);
  routes.push_back(preflight("/oauth/register", "POST"));
  return routes;
}

} // namespace roost::http
