#include "http/protocol/error.hpp"
#include "http/protocol/head.hpp"

#include <algorithm>

namespace roost::http {
namespace {

/// "CONNECT ", the target, " HTTP/1.1" and room to spare: a first line longer than this has too long a
/// target.
constexpr std::size_t max_first_line = max_target + 64;

constexpr bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < ' ' || byte == 0x7f;
}

} // namespace

/// Request smuggling: readers disagree about whether a folded line (obs-fold; RFC 9112, 5.2) is a field of
/// its own, a part of the one before or to be ignored. A folded Transfer-Encoding hides the coding from one
/// of them. Beast joins the lines.
void head_scanner::refuse_folded_line(std::string_view buffer) const {
  if (first_line_end_ == 0 || line_start_ >= buffer.size()) return;
  if (buffer[line_start_] == ' ' || buffer[line_start_] == '\t')
    throw bad_request("Malformed HTTP request: folded header field");
}

/// Memory exhaustion, and the time of a slow sender.
void head_scanner::refuse_when_too_long(std::string_view buffer) const {
  const auto first_line = first_line_end_ == 0 ? buffer.size() : first_line_end_;
  if (first_line > max_first_line) throw uri_too_long();
  if (buffer.size() > max_head) throw header_fields_too_large();
}

/// Request smuggling and header injection: a lone CR, a lone LF or a NUL ends a line or a text for some
/// readers and not for others (RFC 9112, 2.2; RFC 9110, 5.5).
std::optional<std::size_t> head_scanner::scan(std::string_view buffer) {
  for (;; ++seen_) {
    const auto* const control = std::find_if(buffer.begin() + seen_, buffer.end(), is_control);
    seen_ = static_cast<std::size_t>(control - buffer.begin());
    refuse_folded_line(buffer);
    if (control == buffer.end()) break;
    if (*control == '\t' && first_line_end_ != 0) continue;
    if (*control != '\r') throw bad_request("Malformed HTTP request: control character in the header");
    if (seen_ + 1 == buffer.size()) break; // decided when the next byte is here
    if (buffer[seen_ + 1] != '\n') throw bad_request("Malformed HTTP request: carriage return in the header");
    const bool empty_line = seen_ == line_start_;
    ++seen_;
    line_start_ = seen_ + 1;
    if (first_line_end_ == 0) {
      if (empty_line) throw bad_request("Malformed HTTP request: empty request line");
      first_line_end_ = seen_;
    }
    if (empty_line) {
      refuse_when_too_long(buffer.substr(0, line_start_));
      return line_start_;
    }
  }
  refuse_when_too_long(buffer);
  return std::nullopt;
}

} // namespace roost::http
