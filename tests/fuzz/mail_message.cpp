#include "domain/storable_text.hpp"
#include "fuzz/support/pieces.hpp"
#include "fuzz/support/target.hpp"
#include "fuzz/support/texts.hpp"
#include "mail/transport.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <stdexcept>
#include <string>

/// Messages: the first line is the sender, the second the recipient, the third the subject, and the rest the
/// text.
namespace roost::fuzz::mail_message {
namespace {

constexpr std::array<std::string_view, 7> fields{
    "From:", "To:", "Subject:", "Date:", "Message-ID:", "MIME-Version:", "Content-Type:"};

/// Requires that a header has only known fields, each at most once: no value adds another one.
void check_header(std::string_view header) {
  std::array<int, fields.size()> counts{};
  while (!header.empty()) {
    const auto end = header.find("\r\n");
    const auto line = header.substr(0, end);
    header = end == std::string_view::npos ? std::string_view{} : header.substr(end + 2);
    if (line.starts_with(' ')) continue; // folded
    const auto* const field =
        std::ranges::find_if(fields, [&](std::string_view name) { return line.starts_with(name); });
    if (field != fields.end())
      require(++counts.at(static_cast<std::size_t>(field - fields.begin())) == 1, "a field occurs once");
    else
      require(line.starts_with("Auto-Submitted:") || line.starts_with("X-"),
              "a header has only known fields");
  }
}

/// Returns the text of a quoted-printable part (RFC 2045, 6.7) with LF as line ends.
std::string decoded(std::string_view part) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string text;
  while (!part.empty()) {
    if (part.starts_with("=\r\n")) {
      part.remove_prefix(3);
    } else if (part.front() == '=') {
      require(part.size() >= 3, "an escape is complete");
      const auto high = digits.find(part[1]), low = digits.find(part[2]);
      require(high != std::string_view::npos && low != std::string_view::npos, "an escape has two digits");
      text += static_cast<char>(high * 16 + low);
      part.remove_prefix(3);
    } else if (part.starts_with("\r\n")) {
      text += '\n';
      part.remove_prefix(2);
    } else {
      require(part.front() >= ' ' && part.front() <= '~', "other characters are escaped");
      text += part.front();
      part.remove_prefix(1);
    }
  }
  return text;
}

/// Requires that both parts of a message are the text.
void check_parts(std::string_view message, std::string_view text) {
  std::string expected;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (!text.substr(i).starts_with("\r\n")) expected += text[i];
  constexpr std::string_view boundary = "\r\n--=_",
                             encoding = "Content-Transfer-Encoding: quoted-printable\r\n\r\n";
  int parts = 0;
  for (auto at = message.find(boundary); (at = message.find(encoding, at)) != std::string_view::npos;
       ++parts) {
    at += encoding.size();
    const auto end = message.find(boundary, at);
    require(end != std::string_view::npos, "a part ends");
    require(decoded(message.substr(at, end - at)) == expected, "a reader sees the text");
    at = end;
  }
  require(parts == (text.empty() ? 1 : 2), "a message has a text and a page");
}

void check_message(std::string_view message) {
  for (std::size_t at = 0; (at = message.find_first_of("\r\n", at)) != std::string_view::npos; at += 2)
    require(message.substr(at, 2) == "\r\n", "a line ends in CR LF");
  for (auto rest = message; !rest.empty();) {
    const auto end = std::min(rest.find("\r\n"), rest.size());
    require(end <= 998, "a line is limited");
    require(!rest.substr(0, end).starts_with('.'), "no line starts with a dot");
    rest.remove_prefix(std::min(end + 2, rest.size()));
  }
  const auto body = message.find("\r\n\r\n");
  require(body != std::string_view::npos, "a message has a body");
  const auto header = message.substr(0, body);
  require(std::ranges::none_of(header, [](char c) { return c == '\0' || c == 0x7f; }),
          "a header has no controls");
  check_header(header);
}

void check(std::string_view input) {
  domain::outgoing_mail mail;
  const std::string from{take_line(input)};
  mail.to = take_line(input);
  mail.subject = take_line(input);
  mail.text = mail.html = input;
  mail.created_at = domain::timestamp{std::chrono::milliseconds{1'800'000'000'000}};
  if (!domain::is_storable(mail.subject) || !domain::is_storable(mail.text))
    return; // the store holds no others
  try {
    const auto message = mail::to_rfc5322(mail, from);
    check_message(message);
    check_parts(message, mail.text);
    require(mail::to_rfc5322(mail, from) == message, "a message is written the same twice");
  } catch (const mail::send_failed& error) {
    require(error.permanent, "an invalid recipient stays invalid");
    require_one_line(error.what());
  } catch (const std::invalid_argument& error) {
    require(error.what() != std::string_view{}, "an error has a text");
  }
}

const target registered{"mail_message", "ValuesOfMessagesAddNoFields", check};

} // namespace
} // namespace roost::fuzz::mail_message
