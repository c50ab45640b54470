#pragma once

#include "support/raw_client.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace roost::testing {

using header_fields = std::vector<std::pair<std::string, std::string>>;

/// Returns a complete request, with Content-Length if it has a body or is a POST or PUT.
inline std::string to_request(const std::string& method, const std::string& target,
                              const header_fields& fields = {}, const std::string& body = "") {
  std::string text = method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n";
  for (const auto& [name, value] : fields) text += name + ": " + value + "\r\n";
  if (!body.empty() || method == "POST" || method == "PUT")
    text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  return text + "\r\n" + body;
}

/// Sends one request on a new connection.
inline raw_response send_request(std::uint16_t port, const std::string& method, const std::string& target,
                                 const header_fields& fields = {}, const std::string& body = "") {
  return raw_client(port).exchange(to_request(method, target, fields, body), method == "HEAD");
}

/// A booking platform's client for a running server, with its token.
class partner {
public:
  partner(std::uint16_t port, std::string prefix, std::string token)
      : port_(port), prefix_("/" + std::move(prefix)), token_(std::move(token)) {}

  raw_response get(const std::string& path, header_fields fields = {}) const {
    fields.emplace_back("Authorization", "Bearer " + token_);
    return send_request(port_, "GET", prefix_ + path, fields);
  }

  raw_response erase(const std::string& path, header_fields fields = {}) const {
    fields.emplace_back("Authorization", "Bearer " + token_);
    return send_request(port_, "DELETE", prefix_ + path, fields);
  }

  raw_response post(const std::string& path, const std::string& json, header_fields fields = {}) const {
    return send("POST", path, json, std::move(fields));
  }

  raw_response put(const std::string& path, const std::string& json, header_fields fields = {}) const {
    return send("PUT", path, json, std::move(fields));
  }

  /// Returns a GET request as text.
  std::string get_text(const std::string& path) const {
    return to_request("GET", prefix_ + path, {{"Authorization", "Bearer " + token_}});
  }

  /// Returns a POST request as text, for tests that control when its bytes are sent.
  std::string post_text(const std::string& path, const std::string& json) const {
    return to_request("POST", prefix_ + path, json_fields({}), json);
  }

  const std::string& token() const { return token_; }
  std::uint16_t port() const { return port_; }
  const std::string& prefix() const { return prefix_; } ///< with a leading slash

private:
  raw_response send(const std::string& method, const std::string& path, const std::string& json,
                    header_fields fields) const {
    return send_request(port_, method, prefix_ + path, json_fields(std::move(fields)), json);
  }

  header_fields json_fields(header_fields fields) const {
    fields.emplace_back("Authorization", "Bearer " + token_);
    fields.emplace_back("Content-Type", "application/json");
    return fields;
  }

  std::uint16_t port_;
  std::string prefix_, token_;
};

} // namespace roost::testing
