#pragma once

#include "support/certificate.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace roost::testing {

/// A server on 127.0.0.1 that sends what a function makes, over TLS, to one client after the other. Of an
/// empty text nothing is sent, and the connection stays until the client leaves.
class tls_server {
public:
  /// Called on the server's thread.
  using responder = std::function<std::string(const std::string& request)>;

  tls_server(const certificate& own, responder respond);
  tls_server(const certificate& own, const std::string& answer);
  ~tls_server();

  std::uint16_t port() const;
  std::string url(const std::string& host = "localhost", const std::string& path = "/document") const;
  /// How many came, whatever became of them.
  int connections() const;

private:
  class listener;
  std::unique_ptr<listener> listener_;
};

/// A response with its length; `more` are further header lines.
std::string http_response(const std::string& body, const std::string& status = "200 OK",
                          const std::string& more = "");

} // namespace roost::testing
