#include "http/connector/connector_access.hpp"

#include "actors/runtime/ask.hpp"
#include "domain/assistant.hpp"
#include "http/management/management_access.hpp"
#include "http/protocol/rate_limiter.hpp"
#include "security/random.hpp"

#include <array>

namespace roost::http {

entry_rule connector_checks(const connector_services& services, std::string_view group, std::size_t limit) {
  return {[&services](request&) { require_users(*services.management); },
          rate_limit_check(*services.management->limiter, group, limit)};
}

asio::awaitable<std::shared_ptr<const store::oauth_client>> client_of(const connector_services& services,
                                                                      const std::string& id) {
  if (services.documents && actors::is_document_address(id)) {
    actors::fetch_client wanted{id, actors::answer_deadline()};
    auto fetched = co_await actors::ask(services.documents, std::move(wanted));
    auto* client = std::get_if<store::oauth_client>(&fetched.result);
    co_return client == nullptr ? nullptr : std::make_shared<const store::oauth_client>(std::move(*client));
  }
  co_return co_await services.management->connections->find_client(id);
}

asio::awaitable<std::shared_ptr<const store::oauth_client>>
refreshing_client_of(const connector_services& services, const std::string& id) {
  if (!services.documents || !services.document_policy.allows_address(id))
    co_return co_await client_of(services, id);
  store::oauth_client known;
  known.id = id;
  known.grant_types = domain::kept_grant_types({});
  co_return std::make_shared<const store::oauth_client>(std::move(known));
}

std::string new_client_id() {
  std::array<unsigned char, 16> bytes;
  security::fill_random(bytes);
  return "mcp-" + security::to_hex(bytes);
}

} // namespace roost::http
