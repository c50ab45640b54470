#include "mail/message.hpp"

#include "domain/text.hpp"
#include "mail/quoted_printable.hpp"
#include "mail/send_failed.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <iomanip>
#include <sstream>
#include <stdexcept>

namespace roost::mail {

namespace {

/// `Fri, 20 Nov 2026 09:30:00 +0000` (RFC 5322, 3.3).
std::string written_date(domain::timestamp moment) {
  static constexpr std::array<std::string_view, 7> weekdays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                           "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto day = domain::day_of(moment);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss time{std::chrono::floor<std::chrono::seconds>(moment - day)};
  std::ostringstream text;
  text << weekdays[std::chrono::weekday{day}.c_encoding()] << ", " << static_cast<unsigned>(date.day()) << ' '
       << months[domain::month_of(day) - 1] << ' ' << static_cast<int>(date.year()) << ' '
       << std::setfill('0') << std::setw(2) << time.hours().count() << ':' << std::setw(2)
       << time.minutes().count() << ':' << std::setw(2) << time.seconds().count() << " +0000";
  return text.str();
}

/// Breaks a line before words that would cross its limit. The words are divided by single spaces.
std::string folded(std::string_view words, std::size_t column) {
  std::string lines;
  while (!words.empty()) {
    const auto word = words.substr(0, words.find(' ', 1)); // the space before it belongs to it
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

/// Whether a header can hold the text as it is.
bool is_plain(std::string_view text) {
  constexpr std::size_t longest_word = 60; // leaves room for the header's name
  std::size_t word = 0;
  for (const char c : text) {
    if (c < ' ' || c > '~') return false;
    word = c == ' ' ? 0 : word + 1;
    if (word > longest_word) return false;
  }
  return text.find("=?") == std::string_view::npos;
}

std::string subject_header(std::string_view subject) {
  constexpr std::string_view name = "Subject: ";
  const auto line = domain::one_line(subject);
  return std::string(name) + (is_plain(line) ? folded(line, name.size()) : encoded_words(line, name.size()));
}

void append_part(std::string& message, std::string_view boundary, std::string_view type,
                 std::string_view content) {
  message.append("--").append(boundary).append(line_end);
  message.append("Content-Type: ").append(type).append("; charset=utf-8").append(line_end);
  message.append("Content-Transfer-Encoding: quoted-printable").append(line_end).append(line_end);
  message.append(quoted_printable(content)).append(line_end);
}

} // namespace

bool is_address(std::string_view text) {
  constexpr std::size_t longest = 254;
  constexpr std::string_view reserved = "<>()[]\\,;:\"";
  const auto allowed = [reserved](char c) {
    return c > ' ' && c <= '~' && reserved.find(c) == std::string_view::npos;
  };
  const auto at = text.find('@');
  return text.size() <= longest && at != std::string_view::npos && at > 0 && at + 1 < text.size() &&
         text.find('@', at + 1) == std::string_view::npos && std::ranges::all_of(text, allowed);
}

std::string to_rfc5322(const domain::outgoing_mail& mail, std::string_view from) {
  if (!is_address(from)) throw std::invalid_argument("the sender of mail is not an address");
  if (!is_address(mail.to)) throw send_failed("rejected_recipient", true, "not an address");

  const auto id = domain::to_string(mail.id);
  const auto boundary = "=_" + id;                         // quoted-printable text never holds "=_"
  const auto sending_domain = from.substr(from.find('@')); // with the @
  std::string message;
  const auto header = [&message](std::string_view name, std::string_view value) {
    message.append(name).append(": ").append(value).append(line_end);
  };
  header("Date", written_date(mail.created_at));
  header("From", from);
  header("To", mail.to);
  message.append(subject_header(mail.subject)).append(line_end);
  header("Message-ID", std::string("<").append(id).append(sending_domain).append(">"));
  header("Auto-Submitted", "auto-generated"); // keeps absence notes away (RFC 3834, 5)
  header("MIME-Version", "1.0");
  header("Content-Type", "multipart/alternative;\r\n boundary=\"" + boundary + "\"");
  message.append(line_end);
  append_part(message, boundary, "text/plain", mail.text);
  if (!mail.html.empty()) append_part(message, boundary, "text/html", mail.html);
  message.append("--").append(boundary).append("--").append(line_end);
  return message;
}

} // namespace roost::mail
