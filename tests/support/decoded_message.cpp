#include "support/decoded_message.hpp"

#include <stdexcept>

namespace roost::mail {

namespace {

constexpr std::string_view crlf = "\r\n";

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string decoded_escapes(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') {
      decoded += text[i];
    } else {
      decoded += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
      i += 2;
    }
  }
  return decoded;
}

std::string decoded_quoted_printable(std::string text) {
  return replaced(decoded_escapes(replaced(std::move(text), "=\r\n", "")), crlf, "\n");
}

std::string decoded_subject(std::string text) {
  constexpr std::string_view opening = "=?UTF-8?Q?", closing = "?=";
  text =
      replaced(std::move(text), "?= =?", "?==?"); // the space between encoded words is not part of the text
  std::string decoded;
  std::string_view rest = text;
  while (!rest.empty()) {
    const auto start = rest.find(opening);
    decoded += rest.substr(0, start);
    if (start == std::string_view::npos) break;
    rest.remove_prefix(start + opening.size());
    const auto end = rest.find(closing);
    if (end == std::string_view::npos) throw std::invalid_argument("an unterminated encoded word");
    decoded += decoded_escapes(replaced(std::string(rest.substr(0, end)), "_", " "));
    rest.remove_prefix(end + closing.size());
  }
  return decoded;
}

/// Removes the headers and the empty line after them from the front of the text.
std::map<std::string, std::string> take_headers(std::string_view& text) {
  const auto end = text.find("\r\n\r\n");
  if (end == std::string_view::npos) throw std::invalid_argument("unterminated headers");
  const auto unfolded = replaced(std::string(text.substr(0, end + crlf.size())), "\r\n ", " ");
  text.remove_prefix(end + 2 * crlf.size());
  std::map<std::string, std::string> headers;
  for (const auto& line : lines_of(unfolded)) {
    const auto colon = line.find(": ");
    if (colon == std::string::npos) throw std::invalid_argument("not a header: " + line);
    if (!headers.emplace(line.substr(0, colon), line.substr(colon + 2)).second)
      throw std::invalid_argument("a duplicate header: " + line);
  }
  return headers;
}

} // namespace

std::vector<std::string> lines_of(std::string_view message) {
  std::vector<std::string> lines;
  while (!message.empty()) {
    const auto end = message.find(crlf);
    if (end == std::string_view::npos) throw std::invalid_argument("an unterminated last line");
    lines.emplace_back(message.substr(0, end));
    message.remove_prefix(end + crlf.size());
  }
  return lines;
}

decoded_message decode(std::string_view message) {
  decoded_message decoded{.headers = take_headers(message)};
  decoded.subject = decoded_subject(decoded.headers.at("Subject"));
  const auto& type = decoded.headers.at("Content-Type");
  const auto boundary_start = type.find("boundary=\"") + std::string_view("boundary=\"").size();
  const auto boundary = "--" + type.substr(boundary_start, type.find('"', boundary_start) - boundary_start);
  message.remove_prefix(message.find(boundary) + boundary.size());
  while (message.starts_with(crlf)) {
    message.remove_prefix(crlf.size());
    const auto headers = take_headers(message);
    if (headers.at("Content-Transfer-Encoding") != "quoted-printable")
      throw std::invalid_argument("a part is not quoted-printable");
    const auto end = message.find("\r\n" + boundary);
    if (end == std::string_view::npos) throw std::invalid_argument("an unterminated part");
    decoded.parts[headers.at("Content-Type")] = decoded_quoted_printable(std::string(message.substr(0, end)));
    message.remove_prefix(end + crlf.size() + boundary.size());
  }
  if (message != "--\r\n") throw std::invalid_argument("the last boundary is missing");
  return decoded;
}

} // namespace roost::mail
