#include "bytes/ascii.hpp"
#include "http/protocol/error.hpp"
#include "http/protocol/request_parser.hpp"

#include <algorithm>

namespace roost::http {
namespace {

constexpr std::string_view line_end = "\r\n";
constexpr std::size_t max_size_digits = 16;
constexpr std::size_t max_overhead = 4096;

[[noreturn]] void refuse(const char* what) {
  throw bad_request(std::string("Malformed chunked body: ") + what);
}

/// Request smuggling: data that is longer than its size would be read as the next chunk's size. False while
/// the CR LF has not come whole.
bool take_end_of_data(std::string_view& text) {
  const auto length = std::min(text.size(), line_end.size());
  if (text.substr(0, length) != line_end.substr(0, length)) refuse("chunk longer than its size");
  text.remove_prefix(length);
  return length == line_end.size();
}

/// Request smuggling: other readers cut a size of too many digits to 64 bits, or skip white space before an
/// extension (Beast does). Without a limit, leading zeros are memory exhaustion. The digits' number; nothing
/// while more may come.
std::optional<std::size_t> count_size_digits(std::string_view text) {
  const auto* const end =
      std::find_if(text.begin(), text.end(), [](char c) { return ascii::hex_value(c) < 0; });
  const auto digits = static_cast<std::size_t>(end - text.begin());
  if (digits > max_size_digits) refuse("size");
  if (end == text.end()) return std::nullopt;
  if (digits == 0 || (*end != ';' && *end != '\r')) refuse("size");
  return digits;
}

/// Header injection, should somebody merge trailers: a name is a token right up to its colon, so that folded
/// lines fail, too.
void check_trailer_name(std::string_view line) {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || !ascii::is_token(line.substr(0, colon))) refuse("trailer");
}

} // namespace

/// Request smuggling by bare CR and LF in extensions (RFC 9112, 11.2: some readers skip them to the LF), and
/// memory exhaustion by extensions and trailers without end.
std::optional<std::string_view> chunk_guard::take_line(std::string_view text) {
  const auto* const end = std::find_if_not(text.begin(), text.end(), ascii::is_field_value_character);
  const auto length = static_cast<std::size_t>(end - text.begin());
  if (length > max_overhead - overhead_) refuse("too many extensions or trailers");
  const auto rest = text.substr(length);
  if (rest.empty()) return std::nullopt;
  if (rest.front() != '\r') refuse("control character");
  if (rest.size() == 1) return std::nullopt;
  if (rest[1] != '\n') refuse("line end");
  overhead_ += length;
  return text.substr(0, length);
}

std::optional<chunk_guard::line> chunk_guard::take_size_line(std::string_view text, bool after_data) {
  if (after_data && !take_end_of_data(text)) return std::nullopt;
  const auto digits = count_size_digits(text);
  if (!digits || !take_line(text.substr(*digits))) return std::nullopt;
  return text.substr(0, *digits).find_first_not_of('0') == std::string_view::npos ? line::last_chunk
                                                                                  : line::chunk;
}

std::optional<std::string_view> chunk_guard::take_trailer(std::string_view text) {
  const auto line = take_line(text);
  if (line && !line->empty()) check_trailer_name(*line);
  return line;
}

} // namespace roost::http
