#pragma once

#include "actors/sessions/request_origin.hpp"
#include "actors/sessions/session_register.hpp"
#include "log/log.hpp"
#include "metrics/registry.hpp"

#include <string_view>

namespace roost::actors {

inline metrics::counter ended_connections_counter(metrics::registry& registry) {
  return registry.counter("roost_connections_ended_total", "Connections that ended before they expired");
}

/// Registers, counts and logs the end of an assistant's connection, whose access tokens may be valid for as
/// long as given. Thread-safe.
inline void record_connection_end(session_register& ended, const metrics::counter& count,
                                  const domain::uuid& id, std::chrono::milliseconds access_token,
                                  domain::timestamp now, std::string_view event,
                                  const request_origin& origin) {
  ended.end_session(id, access_token, now);
  count.increment();
  log::info(
      event,
      {{"connection", domain::to_string(id)}, {"remote", origin.address}, {"request_id", origin.request_id}});
}

} // namespace roost::actors
