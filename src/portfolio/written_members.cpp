#include "portfolio/written_members.hpp"

#include <array>
#include <charconv>

namespace roost::portfolio {

std::string on_one_line(const written_members& object) {
  std::string text = "{";
  for (const auto& [name, json, elements] : object) {
    if (text.size() > 1) text += ", ";
    text.append(json_of(name)).append(": ").append(elements.empty() ? json : on_one_line(elements));
  }
  return text + '}';
}

std::string on_one_line(const std::vector<std::string>& elements) {
  std::string text = "[";
  for (const auto& each : elements) {
    if (text.size() > 1) text += ", ";
    text += each;
  }
  return text + ']';
}

/// As short as it can be and still be read as the same number.
std::string json_of(double degrees) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.begin(), text.end(), degrees).ptr;
  return {text.begin(), end};
}

std::string json_of(const std::vector<std::string>& texts) {
  std::vector<std::string> elements;
  elements.reserve(texts.size());
  for (const auto& each : texts) elements.push_back(json_of(each));
  return on_one_line(elements);
}

std::string json_of(const domain::localized_text& texts) {
  written_members object;
  for (const auto& [language, text] : texts) object.push_back({language, json_of(text), {}});
  return on_one_line(object);
}

} // namespace roost::portfolio
