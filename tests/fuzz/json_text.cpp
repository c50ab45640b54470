#include "fuzz/support/bodies.hpp"
#include "fuzz/support/target.hpp"
#include "fuzz/support/texts.hpp"
#include "http/json/object_reader.hpp"
#include "json/long_numbers.hpp"
#include "json/syntax_error.hpp"

#include <algorithm>
#include <string>

/// JSON texts: the service's parsers agree on what is JSON.
namespace roost::fuzz::json_text {
namespace {

constexpr std::string_view nesting = "[{";

/// Returns whether a text is an object that is nested less than any parser's limit.
bool is_shallow_object(std::string_view json) {
  const auto first = json.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && json[first] == '{' &&
         std::ranges::count_if(json, [](char c) { return nesting.find(c) != std::string_view::npos; }) < 500;
}

bool is_body(std::string text, std::string& refusal) {
  text.reserve(text.size() + 64);
  try {
    const http::json_body body{text};
    return true;
  } catch (const http::error& error) {
    refusal = error.message;
    return false;
  }
}

void check(std::string_view input) {
  const auto error = json::find_syntax_error(json::without_long_numbers(input));
  if (error) {
    require_one_line(json::to_string(*error));
    require(error->line >= 1 && error->column >= 1, "an error has a place");
    const auto lines = static_cast<std::size_t>(std::ranges::count(input, '\n'));
    require(error->line <= lines + 1 && error->column <= input.size() + 1, "an error's place is in the text");
  }
  if (!is_shallow_object(input)) return;
  std::string refusal;
  const bool accepted = is_body(std::string{input}, refusal);
  require(accepted == !error, "bodies are JSON if and only if no syntax error is found");
  if (!accepted) require_one_line(refusal);
  if (const auto other = reformatted(input); other && accepted)
    require(is_body(*other, refusal) && !json::find_syntax_error(json::without_long_numbers(*other)),
            "a text in another form stays JSON");
}

const target registered{"json_text", "ParsersAgreeOnWhatIsJson", check};

} // namespace
} // namespace roost::fuzz::json_text
