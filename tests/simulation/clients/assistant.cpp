#include "simulation/clients/assistant.hpp"

#include "security/digest.hpp"

#include <utility>

namespace roost::testing {

namespace {

using namespace std::chrono_literals;

constexpr auto code_lifetime = 90s; ///< less than the two minutes of a code
constexpr const char* redirect = "http://127.0.0.1:4711/callback";
constexpr const char* verifier = "a-verifier-of-the-simulation-that-is-long-enough";

/// Returns the code in the address of a redirect; empty: there is none.
std::string code_in(const std::string& address) {
  const auto at = address.find("code=");
  return at == std::string::npos ? "" : address.substr(at + 5, address.find('&', at) - at - 5);
}

} // namespace

client_task<> assistant::live() {
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
  live_.reset();
  connections_.clear();
}

client_task<> assistant::act_once() {
  if (user_->may_have_ended(*session_)) {
    session_.reset();
    co_return;
  }
  if (!live_) {
    co_await connect();
    co_return;
  }
  const auto connection = chance(70) ? live_ : connections_[any(connections_.size())];
  const auto choice = any(100);
  if (choice < 45)
    co_await refresh_tokens(connection);
  else if (choice < 80)
    co_await introspect(connection);
  else if (choice < 92)
    co_await end_connection(connection);
  else
    co_await reuse_token(connection);
  if (live_->may_have_ended) live_.reset();
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
  if (page.status == 400) contradict("its registration was acknowledged, but is unknown");
  if (page.status != 200) co_return std::string();
  session_->browser.take(page);
  auto decision = request;
  decision.emplace_back("consent", hidden_field(page.body, "consent"));
  decision.emplace_back("decision", "authorize");
  auto call = session_->browser.post_form("/oauth/authorize", decision);
  const auto response = co_await ask("for consent", std::move(call));
  const auto address = field_of(response, "Location");
  const bool is_refused = address.find("access_denied") != std::string::npos;
  if (is_refused && !session_->refreshing_since && !user_->may_have_ended(*session_))
    contradict("consent was refused: " + address);
  co_return code_in(address);
}

client_task<> assistant::connect() {
  const auto asked_at = latest();
  const auto code = co_await approve();
  if (code.empty()) {
    co_await refresh(session_);
    co_return;
  }
  co_await exchange(code, asked_at);
}

http_call assistant::exchange_of(const std::string& code) const {
  return browser_.post_form("/oauth/token", {{"grant_type", "authorization_code"},
                                             {"client_id", client_id_},
                                             {"code", code},
                                             {"redirect_uri", redirect},
                                             {"code_verifier", verifier}});
}

/// Exchanges a code, if necessary again: that ends the connection if only the response was lost.
client_task<> assistant::exchange(std::string code, time_point issued_at) {
  connection_pointer made;
  bool is_doubtful = false;
  for (int attempt = 0; attempt < 3; ++attempt) {
    auto call = exchange_of(code);
    const auto sent_at = now(), latest_at = latest();
    if (made) made->may_have_ended = true;
    const auto response = co_await ask("to exchange a code", std::move(call));
    if (response.status == 401) contradict("its registration was acknowledged, but is unknown");
    if (response.status == 200 && made) contradict("a code was exchanged twice");
    if (response.status == 200) made = take_tokens(response, latest_at);
    if (response.status == 400 && attempt == 0 && latest() < issued_at + code_lifetime)
      contradict("a new code was refused: " + response.body);
    if (response.status == 400 && made && latest() < issued_at + code_lifetime) made->has_ended = true;
    is_doubtful = is_doubtful || was_abandoned(response, sent_at); // it may still come, as a second use
    if (made && is_doubtful) made->may_have_ended = true;
    const bool is_final = response.status != 0 && response.status != 503;
    if (is_final && !(made && !made->may_have_ended && chance(10))) break; // sometimes it is used again
    co_await wait(between(1ms, 500ms));
  }
  if (made && !made->may_have_ended) live_ = made;
}

assistant::connection_pointer assistant::take_tokens(const simulated_response& response, time_point sent_at) {
  auto made = std::make_shared<known_connection>();
  made->client_id = client_id_;
  made->access_token = text_at(response, "/access_token");
  made->refresh_token = text_at(response, "/refresh_token");
  made->id = session_id_of(made->access_token);
  made->issued_at = sent_at;
  tell("has the connection " + made->id);
  user_->connections.push_back(made);
  return connections_.emplace_back(made);
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
  // To repeat a replaced token too late ends the connection, and a lost request may still be late.
  if (latest() > may_be_replaced_at + connector_grace || was_abandoned(response, sent_at))
    connection->may_have_ended = true;
  if (response.status == 200) {
    if (had_ended) contradict("refreshed a connection whose end was acknowledged: " + connection->id);
    connection->replaced.push_back({connection->refresh_token, earliest()});
    connection->refresh_token = text_at(response, "/refresh_token");
    connection->access_token = text_at(response, "/access_token");
    connection->issued_at = latest_at;
    connection->refreshing_since.reset();
  } else if (response.status == 400 || response.status == 401) {
    if (!connection->may_have_ended)
      contradict("could not refresh the connection " + connection->id + ": " + response.body);
  }
}

/// Uses a token that was replaced long ago, as a thief would.
client_task<> assistant::reuse_token(connection_pointer connection) {
  if (connection->replaced.empty()) co_return;
  const auto& replaced = connection->replaced[any(connection->replaced.size())];
  if (earliest() < replaced.known_at + connector_grace) co_return;
  connection->may_have_ended = true;
  auto call = refresh_of(*connection, replaced.text);
  const auto response = co_await ask("for a theft in the connection " + connection->id, std::move(call));
  if (response.status == 200)
    contradict("two chains of refresh tokens live in the connection " + connection->id);
  if (response.status == 400) connection->has_ended = true;
}

client_task<> assistant::end_connection(connection_pointer connection) {
  auto opened = session_->browser.get("/account");
  const auto page = co_await ask("for the account page", std::move(opened));
  if (page.status == 303 && !session_->refreshing_since) check_rejected(*session_, "the account page");
  if (page.status == 303) co_await refresh(session_);
  if (page.status != 200) co_return;
  session_->browser.take(page);
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
  if (response.status == 401) contradict("the tool server's key was refused");
  if (response.status != 200) return;
  const bool is_active = response.body.find(R"("active":true)") != std::string::npos;
  if (is_active && had_ended)
    contradict("a token is active, although the end of its connection was acknowledged: " + connection.id);
  if (!is_active && !connection.may_have_ended && latest() < connection.issued_at + token_lifetime)
    contradict("a token is not active, although its connection cannot have ended: " + connection.id);
}

/// Once nothing fails any more, every connection must be as the client knows it.
client_task<> assistant::check_everything() {
  for (const auto& each : connections_) {
    auto introspection = introspection_of(*each);
    const auto response =
        co_await insist("whether a connection is active, at the end", std::move(introspection));
    check_introspection(*each, response, each->has_ended);
    if (!each->has_ended) continue;
    auto refreshing = refresh_of(*each, each->refresh_token);
    const auto refreshed = co_await insist("to refresh an ended connection", std::move(refreshing));
    if (refreshed.status == 200) contradict("refreshed the ended connection " + each->id);
  }
}

} // namespace roost::testing
