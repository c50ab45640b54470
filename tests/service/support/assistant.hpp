#pragma once

#include "security/digest.hpp"
#include "service/support/web_browser.hpp"

#include <map>
#include <string>

namespace roost::testing {

/// A server whose user Ana may connect assistants, with rate limits that tests do not reach.
inline management_fixture connector_fixture(store_kind kind,
                                            std::map<std::string, std::string> settings = {}) {
  for (const auto* limit : {"discovery", "register", "authorize", "decision", "token"})
    settings.try_emplace(std::string("rate_limits.") + limit, "100000");
  settings.try_emplace("connector.callbacks", R"(["https://assistant.example/callback"])");
  settings.try_emplace("connector.tool_server", R"("https://tools.example/mcp")");
  return management_fixture(kind, settings,
                            {{account_pointer + "/aiAreas", R"({"bookings":"read-only","team":"edit"})"}});
}

inline const std::string loopback_redirect = "http://127.0.0.1:4711/callback";

/// Returns a decoded query parameter of a redirect; nullopt when it is missing.
inline std::optional<std::string> query_parameter(const std::string& location, const std::string& name) {
  const auto query = location.substr(location.find('?') + 1);
  std::size_t at = 0;
  while (at <= query.size()) {
    const auto end = std::min(query.find('&', at), query.size());
    const auto pair = query.substr(at, end - at);
    if (pair.substr(0, pair.find('=')) == name) {
      std::string value;
      for (std::size_t i = pair.find('=') + 1; i < pair.size(); ++i)
        if (pair[i] == '%') {
          value += static_cast<char>(std::stoi(pair.substr(i + 1, 2), nullptr, 16));
          i += 2;
        } else {
          value += pair[i];
        }
      return value;
    }
    at = end + 1;
  }
  return std::nullopt;
}

/// An OAuth client of an assistant that acts for a user.
class assistant {
public:
  explicit assistant(const management_fixture& fixture, std::string redirect = loopback_redirect)
      : port_(fixture.server->port()), redirect_(std::move(redirect)) {
    register_as(R"({"client_name":"Rent Helper","redirect_uris":[")" + redirect_ + R"("]})");
  }

  /// An assistant that does not register: its client ID is the address of its client document.
  assistant(const management_fixture& fixture, std::string redirect, std::string client_id)
      : id(std::move(client_id)), port_(fixture.server->port()), redirect_(std::move(redirect)) {}

  void register_as(const std::string& metadata) {
    const auto registered =
        send_request(port_, "POST", "/oauth/register", {{"Content-Type", "application/json"}}, metadata);
    if (registered.status != 201) throw std::runtime_error("not registered: " + registered.body);
    id = string_at(registered, "/client_id");
    const auto secret = json_at(registered.body, "/client_secret");
    if (!secret.empty()) this->secret = string_at(registered, "/client_secret");
  }

  /// Returns the parameters of the consent page, with changes; an empty value removes a parameter.
  page_fields request(const std::map<std::string, std::string>& changes = {}) const {
    page_fields fields{{"response_type", "code"},         {"client_id", id},
                       {"redirect_uri", redirect_},       {"code_challenge", challenge()},
                       {"code_challenge_method", "S256"}, {"state", "a state"}};
    for (const auto& change : changes) {
      std::erase_if(fields, [&](const auto& field) { return field.first == change.first; });
      if (!change.second.empty()) fields.push_back(change);
    }
    return fields;
  }

  std::string consent_path(const std::map<std::string, std::string>& changes = {}) const {
    return "/oauth/authorize?" + form_text(request(changes));
  }

  /// Returns the fields that a button of the page submits.
  page_fields decision_on(const raw_response& page, const std::string& decision,
                          const std::map<std::string, std::string>& changes = {}) const {
    auto fields = request(changes);
    fields.emplace_back("consent", hidden_value(page, "consent"));
    fields.emplace_back("decision", decision);
    return fields;
  }

  /// Opens the consent page and presses one of its buttons.
  raw_response decide(page_visit& visitor, const std::string& decision,
                      const std::map<std::string, std::string>& changes = {}) const {
    auto page = visitor.open(consent_path(changes));
    if (page.status != 200) return page;
    return visitor.browser().send("POST", "/oauth/authorize",
                                  form_text(decision_on(page, decision, changes)));
  }

  /// Grants consent and returns the authorization code.
  std::string code(page_visit& visitor, const std::map<std::string, std::string>& changes = {}) const {
    const auto done = decide(visitor, "authorize", changes);
    const auto code = query_parameter(done.header("location"), "code");
    if (!code) throw std::runtime_error("no code: " + done.header("location") + done.body);
    return *code;
  }

  raw_response token(page_fields fields) const {
    if (!secret.empty()) fields.emplace_back("client_secret", secret);
    return send_request(port_, "POST", "/oauth/token",
                        {{"Content-Type", "application/x-www-form-urlencoded"}}, form_text(fields));
  }

  page_fields exchange_of(const std::string& code) const {
    return {{"grant_type", "authorization_code"},
            {"client_id", id},
            {"code", code},
            {"redirect_uri", redirect_},
            {"code_verifier", verifier}};
  }
  raw_response exchange(const std::string& code) const { return token(exchange_of(code)); }

  raw_response refresh(const std::string& refresh_token) const {
    return token({{"grant_type", "refresh_token"}, {"client_id", id}, {"refresh_token", refresh_token}});
  }

  /// Grants consent and exchanges the code; returns the response with the tokens.
  raw_response connect(page_visit& visitor) const {
    auto tokens = exchange(code(visitor));
    if (tokens.status != 200) throw std::runtime_error("no tokens: " + tokens.body);
    return tokens;
  }

  std::string challenge() const { return security::to_base64url(security::sha256(verifier)); }

  std::string id, secret;
  std::string verifier = "a-verifier-of-the-tests-that-is-long-enough-for-s256";

private:
  std::uint16_t port_;
  std::string redirect_;
};

/// Sends a tool server's introspection request for a token.
inline raw_response introspect(const management_fixture& fixture, const std::string& key,
                               const std::string& token) {
  return send_request(
      fixture.server->port(), "POST", "/oauth/introspect",
      {{"Authorization", "Bearer " + key}, {"Content-Type", "application/x-www-form-urlencoded"}},
      form_text({{"token", token}}));
}

/// Returns the `error` of an OAuth error response.
inline std::string oauth_error_of(const raw_response& response) { return string_at(response, "/error"); }

/// A server, a registered assistant, and Ana, who is signed in.
struct token_fixture {
  explicit token_fixture(store_kind kind, const std::map<std::string, std::string>& settings = {})
      : management(connector_fixture(kind, settings)), helper(management), ana(management.browser()) {
    ana.sign_in(management);
  }

  /// Issues a tool server's key.
  void issue_key(const std::string& resource) const {
    management.place.run_or_throw({"tool-server-key", "issue", "--resource", resource});
  }
  void revoke_keys() const {
    const auto listed = management.place.run_or_throw({"tool-server-key", "list"});
    management.place.run_or_throw({"tool-server-key", "revoke", listed.substr(0, 36)});
  }

  management_fixture management;
  assistant helper;
  page_visit ana;
};

/// Returns the refresh token of a token response.
inline std::string refresh_of(const raw_response& tokens) { return string_at(tokens, "/refresh_token"); }

} // namespace roost::testing
