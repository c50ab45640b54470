#include "config/values.hpp"

#include <algorithm>
#include <sstream>

namespace roost::config {

namespace {

constexpr std::size_t max_shown = 60;

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

/// Shortens the text without splitting a UTF-8 sequence.
std::string shortened(std::string text) {
  if (text.size() <= max_shown) return text;
  auto end = max_shown;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

std::string checked_text(const toml::node& node, const std::string& text) {
  if (std::ranges::any_of(text, is_control)) throw refusal{shown(node) + " contains a control character"};
  return text;
}

bool is_not_empty(const std::string& text) { return !text.empty(); }

} // namespace

std::string shown(const toml::node& node) {
  if (const auto* text = node.as_string()) return in_quotes(shortened(masked(text->get())));
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* fraction = node.as_floating_point()) {
    std::ostringstream out;
    out << fraction->get();
    return out.str();
  }
  if (node.is_array()) return "a list";
  if (node.is_table()) return "a table";
  return "a date or time";
}

refusal not_a(const toml::node& node, std::string_view expected, std::string_view example) {
  return {shown(node).append(" is not ").append(expected).append("; write for example ").append(example)};
}

std::string text_of(const toml::node& node, std::string_view expected, std::string_view example) {
  const auto* text = node.as_string();
  if (text == nullptr) throw not_a(node, expected, example);
  return checked_text(node, text->get());
}

std::vector<std::string> texts_of(const toml::node& node, std::string_view expected,
                                  std::string_view example) {
  const auto* array = node.as_array();
  if (array == nullptr) throw not_a(node, expected, example);
  std::vector<std::string> result;
  result.reserve(array->size());
  for (std::size_t i = 0; i < array->size(); ++i) {
    const toml::node& element = *array->get(i);
    const auto* text = element.as_string();
    if (text == nullptr) throw refusal{shown(element).append(" in the list is not a text")};
    result.push_back(checked_text(element, text->get()));
  }
  return result;
}

format<std::vector<std::string>> list_format(std::string expected, std::string example,
                                             std::function<bool(const std::string&)> valid) {
  const auto read = [=](const toml::node& node) {
    auto texts = texts_of(node, "a list", example);
    for (const auto& text : texts)
      if (!valid(text))
        throw refusal{in_quotes(shortened(masked(text)))
                          .append(" in the list is not ")
                          .append(expected)
                          .append("; write for example ")
                          .append(example)};
    return texts;
  };
  return {read};
}

format<std::string> any_text() {
  return valid_text("a text", "\"some text\"", [](const auto&) { return true; });
}

format<std::string> some_text() {
  return valid_text("a text of at least one character", "\"some text\"", is_not_empty);
}

format<std::filesystem::path> file_path() {
  return valid_text<std::filesystem::path>("a path", "\"var/file\"", is_not_empty);
}

format<std::filesystem::path> optional_path() {
  return valid_text<std::filesystem::path>("a path", "\"etc/file.pem\"", [](const auto&) { return true; });
}

template <class Duration>
format<Duration> duration_format(Duration min) {
  const auto read = [min](const toml::node& node) {
    constexpr std::string_view expected = "a duration";
    constexpr std::string_view example = "\"10s\"";
    const auto exact = parse_duration(text_of(node, expected, example));
    if (!exact) throw not_a(node, expected, example);
    const auto value = std::chrono::duration_cast<Duration>(*exact);
    if (value != *exact) throw refusal{shown(node) + " is finer than a millisecond"};
    if (value < min) throw refusal{shown(node) + " is too short: at least \"" + duration_text(min) + '"'};
    return value;
  };
  return {read};
}

template format<std::chrono::milliseconds> duration_format(std::chrono::milliseconds);
template format<std::chrono::nanoseconds> duration_format(std::chrono::nanoseconds);

std::int64_t integer_of(const toml::node& node, std::int64_t min, std::int64_t max) {
  const auto* number = node.as_integer();
  if (number == nullptr) throw not_a(node, "a whole number", std::to_string(std::max<std::int64_t>(min, 10)));
  if (number->get() < min) throw refusal{shown(node) + " is too small: at least " + std::to_string(min)};
  if (number->get() > max) throw refusal{shown(node) + " is too large: at most " + std::to_string(max)};
  return number->get();
}

} // namespace roost::config
