#pragma once

#include "support/certificate.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace roost::testing {

/// A TLS server on 127.0.0.1 that sends the result of a function to one client after another. For an empty
/// text it sends nothing and keeps the connection until the client disconnects.
class tls_server {
public:
  /// Called on the server's thread.
  using responder = std::function<std::string(const std::string& request)>;

  tls_server(const certificate& own, responder respond);
  tls_server(const certificate& own, const std::string& response);
  ~tls_server();

  std::uint16_t port() const;
  std::string url(const std::string& host = "localhost", const std::string& path = "/document") const;
  /// Returns the number of accepted connections, including failed ones.
  int connections() const;

private:
  class listener;
  std::unique_ptr<listener> listener_;
};

/// Returns an HTTP response with a Content-Length; `extra_headers` are complete header lines.
std::string http_response(const std::string& body, const std::string& status = "200 OK",
                          const std::string& extra_headers = "");

} // namespace roost::testing
