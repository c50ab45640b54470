#include "http/protocol/chunked.hpp"

#include "bytes/ascii.hpp"
#include "http/protocol/error.hpp"

#include <algorithm>

namespace roost::http {
namespace {

constexpr unsigned max_size_digits = 16;
constexpr std::size_t max_overhead = 4096;

[[noreturn]] void refuse(const char* what) {
  throw bad_request(std::string("Malformed chunked body: ") + what);
}

void skip_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
}

bool take_token(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), ascii::is_token_character);
  const auto length = static_cast<std::size_t>(end - text.begin());
  text.remove_prefix(length);
  return length > 0;
}

bool take_quoted(std::string_view& text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      text.remove_prefix(i + 1);
      return true;
    }
  }
  return false;
}

/// chunk-ext (RFC 9112, 7.1.1), whose first semicolon must follow the size at once.
bool are_extensions(std::string_view text) {
  while (!text.empty()) {
    if (text.front() != ';') return false;
    text.remove_prefix(1);
    skip_blanks(text);
    if (!take_token(text)) return false;
    skip_blanks(text);
    if (text.empty() || text.front() != '=') continue;
    text.remove_prefix(1);
    skip_blanks(text);
    if (!(text.starts_with('"') ? take_quoted(text) : take_token(text))) return false;
    skip_blanks(text);
  }
  return true;
}

} // namespace

std::size_t chunk_decoder::feed(std::string_view input, std::string& body) {
  std::size_t used = 0;
  while (used < input.size() && state_ != state::done) {
    if (state_ != state::data) {
      take(input[used++]);
      continue;
    }
    const auto part = std::min<std::uint64_t>(chunk_, input.size() - used);
    body.append(input.substr(used, part));
    used += part;
    chunk_ -= part;
    if (chunk_ == 0) state_ = state::data_cr;
  }
  return used;
}

void chunk_decoder::take(char c) {
  switch (state_) {
  case state::size:
    take_size(c);
    return;
  case state::size_line:
  case state::trailer:
    take_line_character(c);
    return;
  case state::size_end:
    if (c != '\n') refuse("line end");
    end_size();
    return;
  case state::data_cr:
    if (c != '\r') refuse("chunk longer than its size");
    state_ = state::data_lf;
    return;
  case state::data_lf:
    if (c != '\n') refuse("line end");
    state_ = state::size;
    return;
  case state::trailer_end:
    if (c != '\n') refuse("line end");
    end_trailer();
    return;
  case state::data:
  case state::done:
    return;
  }
}

void chunk_decoder::take_size(char c) {
  const int digit = ascii::hex_value(c);
  if (digit >= 0) {
    if (++digits_ > max_size_digits) refuse("size");
    chunk_ = chunk_ * 16 + static_cast<std::uint64_t>(digit);
    return;
  }
  if (digits_ == 0 || (c != ';' && c != '\r')) refuse("size");
  state_ = state::size_line;
  take_line_character(c);
}

void chunk_decoder::take_line_character(char c) {
  if (c == '\r') {
    state_ = state_ == state::trailer ? state::trailer_end : state::size_end;
    return;
  }
  if (!ascii::is_field_value_character(c)) refuse("control character");
  if (++overhead_ > max_overhead) refuse("too many extensions or trailers");
  line_ += c;
}

void chunk_decoder::end_size() {
  if (!are_extensions(line_)) refuse("extension");
  line_.clear();
  digits_ = 0;
  if (chunk_ > max_body_ - body_size_) throw payload_too_large();
  body_size_ += chunk_;
  state_ = chunk_ == 0 ? state::trailer : state::data;
}

void chunk_decoder::end_trailer() {
  if (line_.empty()) {
    state_ = state::done;
    return;
  }
  if (!ascii::is_token(std::string_view(line_).substr(0, line_.find(':'))) ||
      line_.find(':') == std::string::npos)
    refuse("trailer");
  line_.clear();
  state_ = state::trailer;
}

} // namespace roost::http
