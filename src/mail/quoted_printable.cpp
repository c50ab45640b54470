#include "mail/quoted_printable.hpp"

namespace roost::mail {

namespace {

constexpr std::size_t escape_length = 3;

void append_escaped(std::string& to, char c) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  to += '=';
  to += digits[byte >> 4];
  to += digits[byte & 0x0f];
}

bool ends_line(std::string_view text, std::size_t at) {
  const auto rest = text.substr(at);
  return rest.empty() || rest.front() == '\n' || rest.starts_with(line_end);
}

bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/// Bytes of the UTF-8 character that starts the text; a stray byte counts as one.
std::size_t character_length(std::string_view text) {
  constexpr std::size_t longest = 4;
  std::size_t length = 1;
  while (length < text.size() && length < longest &&
         (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80)
    ++length;
  return length;
}

std::string encoded_character(std::string_view character) {
  std::string encoded;
  for (const char c : character) {
    if (c == ' ')
      encoded += '_';
    else if (is_letter_or_digit(c))
      encoded += c;
    else
      append_escaped(encoded, c);
  }
  return encoded;
}

} // namespace

std::string quoted_printable(std::string_view text) {
  std::string encoded;
  encoded.reserve(text.size() + text.size() / 8);
  std::size_t column = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (ends_line(text, i)) {
      i += text[i] == '\r' ? 2 : 1;
      encoded += line_end;
      column = 0;
      continue;
    }
    if (column + escape_length >= encoded_line_limit) {
      encoded.append("=").append(line_end);
      column = 0;
    }
    const char c = text[i++];
    const bool graphic = c > ' ' && c <= '~' && c != '=' && !(c == '.' && column == 0);
    const bool inner_space = c == ' ' && !ends_line(text, i);
    if (graphic || inner_space) {
      encoded += c;
      ++column;
    } else {
      append_escaped(encoded, c);
      column += escape_length;
    }
  }
  return encoded;
}

std::string encoded_words(std::string_view text, std::size_t column) {
  constexpr std::string_view opening = "=?UTF-8?Q?", closing = "?=", next_line = "\r\n ";
  constexpr auto room_in_line = encoded_line_limit - opening.size() - closing.size();
  std::string words{opening};
  auto room = room_in_line - column;
  while (!text.empty()) {
    const auto length = character_length(text);
    const auto encoded = encoded_character(text.substr(0, length));
    if (encoded.size() > room) {
      words.append(closing).append(next_line).append(opening);
      room = room_in_line - 1; // the space that makes it a continuation
    }
    words += encoded;
    room -= encoded.size();
    text.remove_prefix(length);
  }
  return words.append(closing);
}

} // namespace roost::mail
