#pragma once

#include "config/settings.hpp"
#include "service/service_context.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace roost {

/// The whole running service, wired together: listeners, actors, store.
class service {
public:
  /// Reads the secrets, builds the features and binds the addresses. Throws std::runtime_error with one line
  /// for what cannot be used, e.g. an address that is taken.
  service(const config::settings& settings, service_hooks hooks);

  /// stop() without the waiting, where that was left out.
  ~service();
  service(const service&) = delete;
  service& operator=(const service&) = delete;

  /// Listens and begins to serve; until the store is there and the portfolio is loaded the answer is 503
  /// busy.
  void start();

  /// Ends in order: take no more requests, finish those that may write and the group of decisions that is
  /// being written, give the lease back, send the last answers.
  void stop();

  /// The same for a process that exits right after it, without a destructor: leaves threads and memory to the
  /// system, which takes a million calendars back at once.
  void stop_to_exit();

  /// Whether a change of this setting to that of `wanted` takes effect: by take_over(), or for the
  /// certificate's by reload_certificate().
  bool can_reload(const std::string& key, const config::settings& wanted) const;
  /// Reads the certificate and its key anew: new connections get them. Returns what has changed, in words;
  /// nothing where it is the same one or there is no TLS. Throws std::runtime_error with one line when they
  /// cannot be used; the old ones stay.
  std::string reload_certificate(const config::settings& wanted);
  /// Takes over from another configuration what can change while the service runs.
  void take_over(const config::settings& settings);

  /// Warns of a certificate and of tokens that end soon.
  void warn_of_expiries();

  /// Calls `answered` once each I/O thread has got to it, on the last one. Never, if one of them hangs.
  void when_threads_respond(std::function<void()> answered);

  std::uint16_t port() const;
  std::uint16_t ops_port() const;

private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

} // namespace roost
