#pragma once

#include "service/support/json_text.hpp"
#include "service/support/partner.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "service/support/workplace.hpp"
#include "support/decoded_message.hpp"

#include <cctype>
#include <cstdio>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace roost::testing {

/// A user's HTTP client, which keeps cookies between requests.
class web_browser {
public:
  explicit web_browser(std::uint16_t port, std::string name = "Firefox/140")
      : port_(port), name_(std::move(name)) {}

  raw_response send(const std::string& method, const std::string& path, const std::string& body = "",
                    header_fields fields = {}) {
    if (!cookies_.empty()) fields.emplace_back("Cookie", cookie_header());
    fields.emplace_back("User-Agent", name_);
    const bool is_form = !body.empty() && body.front() != '{';
    if (!body.empty())
      fields.emplace_back("Content-Type", is_form ? "application/x-www-form-urlencoded" : "application/json");
    auto response = send_request(port_, method, path, fields, body);
    take_cookies(response);
    return response;
  }
  raw_response post(const std::string& path, const std::string& json = "", header_fields fields = {}) {
    return send("POST", path, json, std::move(fields));
  }
  raw_response get(const std::string& path, const std::string& access_token) {
    return send("GET", path, "", {{"Authorization", "Bearer " + access_token}});
  }

  const std::string& cookie(const std::string& name) const { return cookies_.at(name); }
  bool has_cookie(const std::string& name) const { return cookies_.contains(name); }
  void set_cookie(const std::string& name, const std::string& value) { cookies_[name] = value; }
  void forget_cookie(const std::string& name) { cookies_.erase(name); }
  void set_port(std::uint16_t port) { port_ = port; }

private:
  std::string cookie_header() const {
    std::string text;
    for (const auto& [name, value] : cookies_) text += (text.empty() ? "" : "; ") + name + "=" + value;
    return text;
  }

  void take_cookies(const raw_response& response) {
    const auto [first, last] = response.headers.equal_range("set-cookie");
    for (auto header = first; header != last; ++header) {
      const auto& text = header->second;
      const auto equals = text.find('='), end = text.find(';');
      const auto name = text.substr(0, equals), value = text.substr(equals + 1, end - equals - 1);
      if (value.empty())
        cookies_.erase(name);
      else
        cookies_[name] = value;
    }
  }

  std::uint16_t port_;
  std::string name_;
  std::map<std::string, std::string> cookies_;
};

inline const std::string session_cookie = "roost_session", browser_cookie = "roost_browser";

/// Returns a string of a JSON body, without its quotes. Throws std::runtime_error when it is not a string.
inline std::string string_at(const raw_response& response, const std::string& pointer) {
  const auto quoted = json_at(response.body, pointer);
  if (quoted.size() < 2 || quoted.front() != '"')
    throw std::runtime_error("no string at " + pointer + ": " + response.body);
  return quoted.substr(1, quoted.size() - 2);
}

/// Waits for the `count`th mail with a sign-in code, and returns the code of the last one.
inline std::string mailed_code(const workplace& place, std::size_t count) {
  std::string code;
  std::size_t codes = 0;
  eventually([&] {
    codes = 0;
    for (const auto& mail : place.mails()) {
      const auto subject = mail::decode(mail).subject;
      if (subject.find("sign-in code") == std::string::npos) continue;
      code = subject.substr(0, 6);
      ++codes;
    }
    return codes >= count;
  });
  if (codes < count) throw std::runtime_error("no mail with a code");
  return code;
}

/// Waits for a mail with a password link, and returns the token of the last one.
inline std::string mailed_link(const workplace& place) {
  std::string token;
  eventually([&] {
    for (const auto& mail : place.mails()) {
      const auto decoded = mail::decode(mail);
      const auto plain = decoded.parts.find("text/plain; charset=utf-8");
      if (plain == decoded.parts.end()) continue;
      const auto& text = plain->second;
      const auto at = text.find("reset-password?token=");
      if (at != std::string::npos) token = text.substr(at + 21, 43);
    }
    return !token.empty();
  });
  return token;
}

inline std::string login_json(const std::string& email, const std::string& password) {
  return R"({"email":")" + email + R"(","password":")" + password + R"("})";
}
inline std::string code_json(const std::string& token, const std::string& code, bool remember = false) {
  return R"({"challengeToken":")" + token + R"(","otp":")" + code + R"(","rememberDevice":)" +
         (remember ? "true" : "false") + "}";
}

/// Returns a code other than this one.
inline std::string wrong_code(const std::string& code) { return code == "000000" ? "000001" : "000000"; }

/// A server with the user Ana, who may sign in, and rate limits that tests do not reach.
struct management_fixture {
  explicit management_fixture(store_kind kind, const std::map<std::string, std::string>& settings = {},
                              const std::vector<edit>& edits = {})
      : place(kind) {
    place.set("rate_limits.login", "100000");
    place.set("rate_limits.verify_otp", "100000");
    place.set("rate_limits.resend_otp", "100000");
    place.set("rate_limits.refresh", "100000");
    place.set("rate_limits.logout", "100000");
    place.set("rate_limits.management", "100000");
    place.set("sessions.password_memory", "64");
    place.set("sessions.password_passes", "1");
    for (const auto& [key, value] : settings) place.set(key, value);
    place.import(portfolio_of(1, edits));
    server.emplace(place);
  }

  web_browser browser(const std::string& name = "Firefox/140") const {
    return web_browser(server->port(), name);
  }

  /// Sends email and password; returns the challenge token.
  std::string challenge(web_browser& browser) {
    const auto opened = browser.post("/auth/login", login_json("ana@casaverde.example", "ana-only"));
    if (opened.status != 201) throw std::runtime_error("no challenge: " + opened.body);
    ++codes;
    return string_at(opened, "/challengeToken");
  }

  /// Sends the password and the code; returns the response with the session.
  raw_response sign_in(web_browser& browser, bool remember = false) {
    const auto token = challenge(browser);
    auto started = browser.post("/auth/verify-otp", code_json(token, mailed_code(place, codes), remember));
    if (started.status != 200) throw std::runtime_error("no session: " + started.body);
    return started;
  }

  workplace place;
  std::optional<running_roost> server;
  std::size_t codes = 0; ///< mailed so far
};

using page_fields = std::vector<std::pair<std::string, std::string>>;

inline std::string url_encoded(const std::string& text) {
  std::string encoded;
  for (const char c : text) {
    char escaped[4];
    std::snprintf(escaped, sizeof escaped, "%%%02X", static_cast<unsigned char>(c));
    encoded += std::isalnum(static_cast<unsigned char>(c)) ? std::string(1, c) : escaped;
  }
  return encoded;
}

inline std::string form_text(const page_fields& fields) {
  std::string text;
  for (const auto& [name, value] : fields)
    text += (text.empty() ? "" : "&") + name + "=" + url_encoded(value);
  return text;
}

/// Returns the value of a hidden field of a page. Throws std::runtime_error when it is missing.
inline std::string hidden_value(const raw_response& page, const std::string& name) {
  const auto prefix = "type=\"hidden\" name=\"" + name + "\" value=\"";
  const auto position = page.body.find(prefix);
  if (position == std::string::npos) throw std::runtime_error("no field " + name + " in " + page.body);
  const auto begin = position + prefix.size();
  return page.body.substr(begin, page.body.find('"', begin) - begin);
}

/// A browser without scripts that reads pages and submits their forms.
class page_visit {
public:
  explicit page_visit(web_browser browser) : browser_(std::move(browser)) {}

  raw_response open(const std::string& path) { return page_ = browser_.send("GET", path); }

  /// Submits a form of the current page with these fields.
  raw_response submit(const std::string& path, page_fields fields = {}, header_fields headers = {}) {
    fields.emplace_back("form", hidden_value(page_, "form"));
    auto response = browser_.send("POST", path, form_text(fields), std::move(headers));
    if (response.status == 200 || response.status == 401) page_ = response;
    return response;
  }

  /// Signs Ana in with the password and the code.
  void sign_in(management_fixture& fixture, bool remember = false) {
    open("/sign-in");
    submit("/sign-in", {{"email", "ana@casaverde.example"}, {"password", "ana-only"}});
    ++fixture.codes;
    open("/sign-in/code");
    page_fields fields{{"code", mailed_code(fixture.place, fixture.codes)}};
    if (remember) fields.emplace_back("remember", "yes");
    const auto done = submit("/sign-in/code", fields);
    if (done.status != 303) throw std::runtime_error("not signed in: " + done.body);
  }

  web_browser& browser() { return browser_; }

private:
  web_browser browser_;
  raw_response page_;
};

} // namespace roost::testing
