#pragma once

#include "support/certificate.hpp"
#include "support/tls_server.hpp"
#include "temporary_folder.hpp"

#include <mutex>
#include <string>
#include <utility>

namespace roost::testing {

/// A web site on 127.0.0.1 with a certificate of its own, which sends the response that was published last to
/// every request. Thread-safe.
class web_site {
public:
  explicit web_site(std::string response = {}) : response_(std::move(response)) {}

  /// Takes a complete response, as of http_response().
  void publish(std::string response) {
    const std::lock_guard lock{mutex_};
    response_ = std::move(response);
  }

  std::string host() const { return "localhost:" + std::to_string(server_.port()); }
  std::string url(const std::string& path) const { return server_.url("localhost", path); }
  std::string certificate_file() const { return own_.certificate_file; }
  int connections() const { return server_.connections(); }

private:
  std::string current_response() const {
    const std::lock_guard lock{mutex_};
    return response_;
  }

  tests::temporary_folder folder_;
  certificate own_{folder_.path()};
  mutable std::mutex mutex_;
  std::string response_;
  tls_server server_{own_, [this](const std::string&) { return current_response(); }};
};

} // namespace roost::testing
