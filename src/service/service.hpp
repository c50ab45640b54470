#pragma once

#include "config/settings.hpp"
#include "service/service_context.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace roost {

/// The running service: listeners, actors and store, wired together.
class service {
public:
  /// Reads the secrets, builds the features and binds the addresses. Throws std::runtime_error with a
  /// one-line message if something cannot be used, such as an address that is taken.
  service(const config::settings& settings, service_hooks hooks);

  /// Calls stop() if the caller has not.
  ~service();
  service(const service&) = delete;
  service& operator=(const service&) = delete;

  /// Starts listening; responds with 503 busy until the store is reachable and the portfolio is loaded.
  void start();

  /// Shuts down in order: rejects new requests, finishes those that may write and the current group of
  /// decisions, releases the lease, sends the last responses.
  void stop();

  /// stop() for a process that exits right afterwards without running the destructor: leaves threads and
  /// memory to the operating system, which is faster than destroying a million calendars.
  void stop_to_exit();

  /// Whether the value of this setting in `reloaded` can take effect: by apply_reloaded(), or by
  /// reload_certificate() for the certificate's settings.
  bool can_reload(const std::string& key, const config::settings& reloaded) const;
  /// Reloads the certificate and its key for new connections. Returns a description of the change, or an
  /// empty string if the certificate is unchanged or TLS is off. If they cannot be used, throws
  /// std::runtime_error with a one-line message and keeps the old ones.
  std::string reload_certificate(const config::settings& reloaded);
  /// Applies the settings that can change while the service runs.
  void apply_reloaded(const config::settings& settings);

  /// Warns of a certificate and tokens that expire soon.
  void warn_of_expiries();

  /// Calls `on_response` on the last I/O thread to respond; never, if one of them hangs.
  void when_threads_respond(std::function<void()> on_response);

  std::uint16_t port() const;
  std::uint16_t ops_port() const;

private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

} // namespace roost
