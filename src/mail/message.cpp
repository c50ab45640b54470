#include "domain/email_address.hpp"
#include "domain/text.hpp"
#include "mail/transport.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <stdexcept>
#include <utility>

namespace roost::mail {

namespace {

/// The end of a line in a message (RFC 5322, 2.1).
constexpr std::string_view line_end = "\r\n";

/// The maximum length of an encoded line, without CRLF (RFC 2045, 6.7, and RFC 2047, 2).
constexpr std::size_t encoded_line_limit = 76;

constexpr std::size_t escape_length = 3;

void append_escaped(std::string& text, char c) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  text += '=';
  text += digits[byte >> 4];
  text += digits[byte & 0x0f];
}

bool ends_line(std::string_view text, std::size_t at) {
  const auto rest = text.substr(at);
  return rest.empty() || rest.front() == '\n' || rest.starts_with(line_end);
}

bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
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

/// Encodes a body as quoted-printable (RFC 2045, 6.7) with CRLF line ends. Also encodes a dot at the start of
/// a line, because some relays take it for the end of the message.
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

/// Encodes UTF-8 text as encoded words (RFC 2047), folded into as many lines as necessary, without
/// splitting a character between two words. `column` is where the first line starts.
std::string encoded_words(std::string_view text, std::size_t column) {
  constexpr std::string_view opening = "=?UTF-8?Q?", closing = "?=", next_line = "\r\n ";
  constexpr auto room_in_line = encoded_line_limit - opening.size() - closing.size();
  std::string words{opening};
  auto room = room_in_line - column;
  while (!text.empty()) {
    const auto from = text;
    if (!domain::take_character(text)) text.remove_prefix(1);
    const auto encoded = encoded_character(from.substr(0, from.size() - text.size()));
    if (encoded.size() > room) {
      words.append(closing).append(next_line).append(opening);
      room = room_in_line - 1; // the space that marks a continuation line
    }
    words += encoded;
    room -= encoded.size();
  }
  return words.append(closing);
}

/// `Fri, 20 Nov 2026 09:30:00 +0000` (RFC 5322, 3.3).
std::string rfc5322_date(domain::timestamp moment) {
  static constexpr std::array<std::string_view, 7> weekdays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                           "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto day = domain::day_of(moment);
  const std::chrono::year_month_day date{day};
  std::string text{weekdays[std::chrono::weekday{day}.c_encoding()]};
  text.append(", ").append(std::to_string(static_cast<unsigned>(date.day())));
  text.append(" ").append(months[domain::month_of(day) - 1]);
  text.append(" ").append(std::to_string(static_cast<int>(date.year())));
  return text.append(" ").append(domain::to_string(moment), 11, 8).append(" +0000"); // hours to seconds
}

/// Breaks a line before words that would cross its limit. The words are divided by single spaces.
std::string folded(std::string_view words, std::size_t column) {
  std::string lines;
  while (!words.empty()) {
    const auto word = words.substr(0, words.find(' ', 1)); // with the space before it
    if (!lines.empty() && column + word.size() > encoded_line_limit) {
      lines += line_end;
      column = 0;
    }
    lines += word;
    column += word.size();
    words.remove_prefix(word.size());
  }
  return lines;
}

/// Whether the text is allowed in a header without encoding.
bool is_plain(std::string_view text) {
  constexpr std::size_t max_word = 60; // leaves room for the header's name
  std::size_t word = 0;
  for (const char c : text) {
    if (c < ' ' || c > '~') return false;
    word = c == ' ' ? 0 : word + 1;
    if (word > max_word) return false;
  }
  return text.find("=?") == std::string_view::npos;
}

std::string subject_header(std::string_view subject) {
  constexpr std::string_view name = "Subject: ";
  const auto line = domain::one_line(subject);
  return std::string(name) + (is_plain(line) ? folded(line, name.size()) : encoded_words(line, name.size()));
}

/// A name is quoted, or encoded if it cannot be (RFC 5322, 3.4).
std::string from_header(const domain::mailbox& sender) {
  const std::string name = "From: ";
  if (sender.name.empty()) return name + sender.address;
  const auto address = "<" + sender.address + ">";
  if (!is_plain(sender.name))
    return name + encoded_words(sender.name, name.size()) + std::string(line_end) + " " + address;
  std::string quoted;
  for (const char c : sender.name) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return name + folded("\"" + quoted + "\" " + address, name.size());
}

void append_part(std::string& message, std::string_view boundary, std::string_view type,
                 std::string_view content) {
  message.append("--").append(boundary).append(line_end);
  message.append("Content-Type: ").append(type).append("; charset=utf-8").append(line_end);
  message.append("Content-Transfer-Encoding: quoted-printable").append(line_end).append(line_end);
  message.append(quoted_printable(content)).append(line_end);
}

} // namespace

std::string send_unrecorded(transport& transport, const domain::outgoing_mail& mail) {
  auto results = transport.send({&mail, 1}, [](auto) {});
  if (results.at(0).failure) throw send_failed(*results[0].failure);
  return std::move(results[0].receipt);
}

domain::mailbox sender_of(std::string_view from) {
  auto sender = domain::parse_mailbox(from);
  if (!sender || domain::needs_smtputf8(sender->address))
    throw std::invalid_argument("the sender of mail is not an address");
  return std::move(*sender);
}

std::string recipient_of(const domain::outgoing_mail& mail) {
  auto recipient = domain::mailable_address(mail.to);
  if (!recipient) throw send_failed("rejected_recipient", true, "not an address");
  return std::move(*recipient);
}

std::string to_rfc5322(const domain::outgoing_mail& mail, std::string_view from) {
  const auto sender = sender_of(from);
  const auto recipient = recipient_of(mail);
  const auto id = domain::to_string(mail.id);
  const auto boundary = "=_" + id; // quoted-printable text never contains "=_"
  const auto sending_domain = sender.address.substr(sender.address.rfind('@')); // with the @
  std::string message;
  const auto header = [&message](std::string_view name, std::string_view value) {
    message.append(name).append(": ").append(value).append(line_end);
  };
  header("Date", rfc5322_date(mail.created_at));
  message.append(from_header(sender)).append(line_end);
  header("To", recipient); // UTF-8 before the @ is allowed where the server offers SMTPUTF8 (RFC 6532, 3.2)
  message.append(subject_header(mail.subject)).append(line_end);
  header("Message-ID", std::string("<").append(id).append(sending_domain).append(">"));
  header("Auto-Submitted", "auto-generated"); // prevents out-of-office replies (RFC 3834, 5)
  header("MIME-Version", "1.0");
  header("Content-Type", "multipart/alternative;\r\n boundary=\"" + boundary + "\"");
  message.append(line_end);
  append_part(message, boundary, "text/plain", mail.text);
  if (!mail.html.empty()) append_part(message, boundary, "text/html", mail.html);
  message.append("--").append(boundary).append("--").append(line_end);
  return message;
}

} // namespace roost::mail
