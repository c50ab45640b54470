#pragma once

#include "service/support/json_text.hpp"
#include "service/support/partner.hpp"

#include <chrono>
#include <stdexcept>
#include <string>

namespace roost::testing {

/// An open event stream of the office, as a browser receives it.
class event_source {
public:
  event_source(std::uint16_t port, const header_fields& fields) : client_(port) {
    std::string request = "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n";
    for (const auto& [name, value] : fields) request.append(name).append(": ").append(value).append("\r\n");
    client_.send(request + "\r\n");
    head = client_.receive_until("\r\n\r\n");
    if (head.find(" 200 ") != std::string::npos) opening = client_.receive_until("\n\n");
  }

  /// Returns the next event that has data, or nothing but the end of the stream.
  std::string next() {
    for (;;) {
      auto event = client_.receive_until("\n\n");
      if (event.find("data: ") != std::string::npos) return event;
    }
  }

  bool ends() {
    try {
      client_.receive_until("0\r\n\r\n");
    } catch (const std::runtime_error&) {
      return client_.is_closed_within(std::chrono::milliseconds{0});
    }
    return true;
  }

  static std::string id_of(const std::string& event) {
    const auto at = event.find("id: ") + 4;
    return event.substr(at, event.find('\n', at) - at);
  }

  /// Returns the JSON of an event.
  static std::string data_of(const std::string& event) {
    const auto at = event.find("data: ") + 6;
    return event.substr(at, event.find('\n', at) - at);
  }

  std::string head, opening;

private:
  raw_client client_;
};

} // namespace roost::testing
