#include "simulation/clients/assistant.hpp"

#include "security/digest.hpp"

#include <utility>

namespace roost::testing {

namespace {

using namespace std::chrono_literals;

constexpr auto code_lifetime = 90s; ///< a code expires after two minutes
constexpr const char* redirect = "http://127.0.0.1:4711/callback";
constexpr const char* verifier = "a-verifier-of-the-simulation-that-is-long-enough";

/// Returns the code in the address of a redirect; empty if there is none.
std::string code_in(const std::string& address) {
  const auto at = address.find("code=");
  return at == std::string::npos ? "" : address.substr(at + 5, address.find('&', at) - at - 5);
}

} // namespace

client_task<> assistant::run() {
  while (!history_.is_completing()) {
    co_await wait(between(1ms, 800ms));
    if (session_ && !client_id_.empty())
      co_await act_once();
    else if (session_)
      co_await register_client();
    else
      session_ = co_await sign_in(0);
  }
  co_await check_everything();
}

void assistant::forget() {
  user_client::forget();
  client_id_.clear();
  session_.reset();
  active_.reset();
  connections_.clear();
}

client_task<> assistant::act_once() {
  if (user_->may_have_ended(*session_)) {
    session_.reset();
    co_return;
  }
  if (!active_) {
    co_await connect();
    co_return;
  }
  const auto connection = chance(70) ? active_ : connections_[random_index(connections_.size())];
  const auto choice = random_index(100);
  if (choice < 45)
    co_await refresh_tokens(connection);
  else if (choice < 80)
    co_await introspect(connection);
  else if (choice < 92)
    co_await end_connection(connection);
  else
    co_await reuse_token(connection);
  if (active_->may_have_ended) active_.reset();
}

client_task<> assistant::register_client() {
  auto call = browser_.post_json("/oauth/register",
                                 std::string(R"({"client_name":"Rent Helper","redirect_uris":[")") +
                                     redirect + R"("]})");
  const auto response = co_await ask("to be registered", std::move(call));
  if (response.status == 201) client_id_ = text_at(response, "/client_id");
}

client_task<std::string> assistant::approve() {
  const form_fields request{{"response_type", "code"},
                            {"client_id", client_id_},
                            {"redirect_uri", redirect},
                            {"code_challenge", security::to_base64url(security::sha256(verifier))},
                            {"code_challenge_method", "S256"}};
  auto opened = session_->browser.get("/oauth/authorize?" + form_body(request));
  const auto page = co_await ask("for the consent page", std::move(opened));
  if (page.status == 400) fail("its registration was acknowledged, but is unknown");
  if (page.status != 200) co_return std::string();
  session_->browser.store_cookies(page);
  auto decision = request;
  decision.emplace_back("consent", hidden_field(page.body, "consent"));
  decision.emplace_back("decision", "authorize");
  auto call = session_->browser.post_form("/oauth/authorize", decision);
  const auto response = co_await ask("for consent", std::move(call));
  const auto address = field_of(response, "Location");
  const bool is_refused = address.find("access_denied") != std::string::npos;
  if (is_refused && !session_->refreshing_since && !user_->may_have_ended(*session_))
    fail("consent was refused: " + address);
  co_return code_in(address);
}

client_task<> assistant::connect() {
  const auto requested_at = latest();
  const auto code = co_await approve();
  if (code.empty()) {
    co_await refresh(session_);
    co_return;
  }
  co_await exchange(code, requested_at);
}

http_call assistant::exchange_of(const std::string& code) const {
  return browser_.post_form("/oauth/token", {{"grant_type", "authorization_code"},
                                             {"client_id", client_id_},
                                             {"code", code},
                                             {"redirect_uri", redirect},
                                             {"code_verifier", verifier}});
}

/// Exchanges a code, and retries without a response. A retry ends the connection if only the response was
/// lost.
client_task<> assistant::exchange(std::string code, time_point issued_at) {
  connection_pointer connection;
  bool is_uncertain = false;
  for (int attempt = 0; attempt < 3; ++attempt) {
    auto call = exchange_of(code);
    const auto sent_at = now(), latest_at = latest();
    if (connection) connection->may_have_ended = true;
    const auto response = co_await ask("to exchange a code", std::move(call));
    if (response.status == 401) fail("its registration was acknowledged, but is unknown");
    if (response.status == 200 && connection) fail("a code was exchanged twice");
    if (response.status == 200) connection = store_tokens(response, latest_at);
    if (response.status == 400 && attempt == 0 && latest() < issued_at + code_lifetime)
      fail("a new code was refused: " + response.body);
    if (response.status == 400 && connection && latest() < issued_at + code_lifetime)
      connection->has_ended = true;
    is_uncertain =
        is_uncertain || was_abandoned(response, sent_at); // the request may still arrive, as a second use
    if (connection && is_uncertain) connection->may_have_ended = true;
    const bool is_final = response.status != 0 && response.status != 503;
    if (is_final && !(connection && !connection->may_have_ended && chance(10)))
      break; // sometimes uses it again
    co_await wait(between(1ms, 500ms));
  }
  if (connection && !connection->may_have_ended) active_ = connection;
}

assistant::connection_pointer assistant::store_tokens(const simulated_response& response,
                                                      time_point sent_at) {
  auto connection = std::make_shared<known_connection>();
  connection->client_id = client_id_;
  connection->access_token = text_at(response, "/access_token");
  connection->refresh_token = text_at(response, "/refresh_token");
  connection->id = session_id_of(connection->access_token);
  connection->issued_at = sent_at;
  add_to_story("has the connection " + connection->id);
  user_->connections.push_back(connection);
  return connections_.emplace_back(connection);
}

http_call assistant::refresh_of(const known_connection& connection, const std::string& token) const {
  return browser_.post_form(
      "/oauth/token",
      {{"grant_type", "refresh_token"}, {"client_id", connection.client_id}, {"refresh_token", token}});
}

client_task<> assistant::refresh_tokens(connection_pointer connection) {
  const bool had_ended = connection->has_ended;
  const auto sent_at = now(), latest_at = latest();
  const auto may_be_replaced_at = connection->refreshing_since.value_or(latest_at);
  connection->refreshing_since = may_be_replaced_at;
  auto call = refresh_of(*connection, connection->refresh_token);
  const auto response = co_await ask("to refresh the connection " + connection->id, std::move(call));
  // Repeating a replaced token after the grace period ends the connection, and a lost request may still
  // arrive.
  if (latest() > may_be_replaced_at + connector_grace || was_abandoned(response, sent_at))
    connection->may_have_ended = true;
  if (response.status == 200) {
    if (had_ended) fail("refreshed a connection whose end was acknowledged: " + connection->id);
    connection->replaced.push_back({connection->refresh_token, earliest()});
    connection->refresh_token = text_at(response, "/refresh_token");
    connection->access_token = text_at(response, "/access_token");
    connection->issued_at = latest_at;
    connection->refreshing_since.reset();
  } else if (response.status == 400 || response.status == 401) {
    if (!connection->may_have_ended)
      fail("could not refresh the connection " + connection->id + ": " + response.body);
  }
}

/// Uses a token that was replaced before the grace period, as a thief would.
client_task<> assistant::reuse_token(connection_pointer connection) {
  if (connection->replaced.empty()) co_return;
  const auto& replaced = connection->replaced[random_index(connection->replaced.size())];
  if (earliest() < replaced.known_at + connector_grace) co_return;
  connection->may_have_ended = true;
  auto call = refresh_of(*connection, replaced.text);
  const auto response =
      co_await ask("to refresh with a stolen token in the connection " + connection->id, std::move(call));
  if (response.status == 200)
    fail("two chains of refresh tokens are valid in the connection " + connection->id);
  if (response.status == 400) connection->has_ended = true;
}

client_task<> assistant::end_connection(connection_pointer connection) {
  auto opened = session_->browser.get("/account");
  const auto page = co_await ask("for the account page", std::move(opened));
  if (page.status == 303 && !session_->refreshing_since) check_rejected(*session_, "the account page");
  if (page.status == 303) co_await refresh(session_);
  if (page.status != 200) co_return;
  session_->browser.store_cookies(page);
  connection->may_have_ended = true;
  auto call = session_->browser.post_form("/account/connections/" + connection->id + "/end",
                                          {{"form", hidden_field(page.body, "form")}});
  const auto response = co_await ask("to end the connection " + connection->id, std::move(call));
  if (field_of(response, "Location").find("notice=") != std::string::npos) connection->has_ended = true;
}

http_call assistant::introspection_of(const known_connection& connection) const {
  auto call = browser_.post_form("/oauth/introspect", {{"token", connection.access_token}});
  call.fields.emplace_back("Authorization", "Bearer " + tool_server_key_);
  return call;
}

client_task<> assistant::introspect(connection_pointer connection) {
  const bool had_ended = connection->has_ended;
  auto call = introspection_of(*connection);
  const auto response =
      co_await ask("whether the connection " + connection->id + " is active", std::move(call));
  check_introspection(*connection, response, had_ended);
}

void assistant::check_introspection(const known_connection& connection, const simulated_response& response,
                                    bool had_ended) {
  if (response.status == 401) fail("the tool server's key was refused");
  if (response.status != 200) return;
  const bool is_active = response.body.find(R"("active":true)") != std::string::npos;
  if (is_active && had_ended)
    fail("a token is active, although the end of its connection was acknowledged: " + connection.id);
  if (!is_active && !connection.may_have_ended && latest() < connection.issued_at + token_lifetime)
    fail("a token is not active, although its connection cannot have ended: " + connection.id);
}

/// Checks, once faults have ended, that every connection is as the client knows it.
client_task<> assistant::check_everything() {
  for (const auto& each : connections_) {
    auto introspection = introspection_of(*each);
    const auto response =
        co_await ask_until_served("whether a connection is active, at the end", std::move(introspection));
    check_introspection(*each, response, each->has_ended);
    if (!each->has_ended) continue;
    auto refreshing = refresh_of(*each, each->refresh_token);
    const auto refreshed = co_await ask_until_served("to refresh an ended connection", std::move(refreshing));
    if (refreshed.status == 200) fail("refreshed the ended connection " + each->id);
  }
}

} // namespace roost::testing
