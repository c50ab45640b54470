#pragma once

#include "service/support/web_browser.hpp"

#include <cctype>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// Pages as a browser without scripts uses them: it reads them, and sends their forms.
namespace roost::testing {

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

/// The value of a hidden field of a page.
inline std::string hidden_value(const raw_response& page, const std::string& name) {
  const auto before = "type=\"hidden\" name=\"" + name + "\" value=\"";
  const auto found = page.body.find(before);
  if (found == std::string::npos) throw std::runtime_error("no field " + name + " in " + page.body);
  const auto begin = found + before.size();
  return page.body.substr(begin, page.body.find('"', begin) - begin);
}

/// A browser that goes from page to page.
class page_visit {
public:
  explicit page_visit(web_browser with) : browser_(std::move(with)) {}

  raw_response open(const std::string& path) { return shown_ = browser_.send("GET", path); }

  /// Sends a form of the page that is shown to `path`, with what somebody has filled in.
  raw_response submit(const std::string& path, page_fields filled = {}, header_fields headers = {}) {
    filled.emplace_back("form", hidden_value(shown_, "form"));
    auto got = browser_.send("POST", path, form_text(filled), std::move(headers));
    if (got.status == 200 || got.status == 401) shown_ = got;
    return got;
  }

  /// Both steps, up to the account.
  void sign_in(management_scene& scene, bool remember = false) {
    open("/sign-in");
    submit("/sign-in", {{"email", "ana@casaverde.example"}, {"password", "ana-only"}});
    ++scene.codes;
    open("/sign-in/code");
    page_fields filled{{"code", mailed_code(scene.place, scene.codes)}};
    if (remember) filled.emplace_back("remember", "yes");
    const auto done = submit("/sign-in/code", filled);
    if (done.status != 303) throw std::runtime_error("not signed in: " + done.body);
  }

  web_browser& browser() { return browser_; }

private:
  web_browser browser_;
  raw_response shown_;
};

} // namespace roost::testing
