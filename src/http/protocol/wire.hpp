#pragma once

#include "http/protocol/message.hpp"

#include <ctime>
#include <string>
#include <string_view>

/// How an answer's header looks on the wire (RFC 9112).
namespace roost::http::wire {

/// The current time as a Date value (RFC 9110, 5.6.7), formatted once a second. One per thread.
class date_clock {
public:
  std::string_view now();

private:
  std::time_t second_ = -1;
  char text_[30] = {};
};

/// What the connection adds to an answer.
struct envelope {
  std::string_view date;
  std::string_view request_id;
  bool close;              ///< Connection: close
  bool confirm_keep_alive; ///< Connection: keep-alive, for HTTP/1.0
};

/// Appends the header of an answer. For one with `shared`, that one's head is left to be sent after it.
/// Throws std::invalid_argument for a field that is not valid.
void append_head(std::string& head, const response& answer, const envelope& envelope);

} // namespace roost::http::wire
