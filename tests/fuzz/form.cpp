#include "fuzz/support/target.hpp"
#include "http/protocol/error.hpp"
#include "http/protocol/message.hpp"
#include "http/protocol/text_encoding.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

/// Forms of pages and of OAuth, and queries.
namespace roost::fuzz::form {
namespace {

using http::form_fields;

std::string encoded(const form_fields& fields) {
  std::string text;
  for (const auto& [name, value] : fields)
    text.append(text.empty() ? "" : "&")
        .append(http::percent_encoded(name))
        .append("=")
        .append(http::percent_encoded(value));
  return text;
}

std::optional<form_fields> read(std::string_view text) {
  try {
    return http::read_form(text);
  } catch (const http::error& refusal) {
    require(refusal.status == 400 || refusal.status == 413, "a form is refused with 400 or 413");
    require(!http::to_response(refusal).body.empty(), "a refusal has a response");
    return std::nullopt;
  }
}

void check_form(std::string_view input) {
  const auto fields = read(input);
  if (!fields) return;
  require(fields->size() <= http::max_form_fields, "the number of fields is limited");
  for (const auto& [name, value] : *fields) {
    require(!name.empty(), "a field has a name");
    for (const auto* text : {&name, &value})
      require(http::is_utf8(*text) && text->find('\0') == std::string::npos, "a field is UTF-8 without NUL");
  }
  const auto text = encoded(*fields);
  if (text.size() <= http::max_form_size) require(read(text) == fields, "a written form is read as the same");
  // The lenient reader must not see other values than the strict one.
  for (const auto& field : http::read_query(text))
    require(field.values.size() == 1 && fields->at(field.name) == field.values.front(),
            "both readers agree on a strict form");
}

void check_query(std::string_view input) {
  std::size_t values = 0;
  for (const auto& field : http::read_query(input)) {
    require(!field.values.empty(), "a name in a query has a value");
    values += field.values.size();
    for (const auto& value : field.values) {
      const double number = http::js_number(value);
      require(std::isnan(number) || number == http::js_number(' ' + value + '\n'),
              "blanks around a number do not matter");
    }
  }
  require(values <= static_cast<std::size_t>(std::ranges::count(input, '&')) + 1,
          "ampersands separate fields");
}

void check(std::string_view input) {
  check_form(input);
  check_query(input);
  const auto valid = http::to_utf8(input);
  require(http::is_utf8(valid), "a text is converted to UTF-8");
  require(!http::is_utf8(input) || valid == input, "UTF-8 stays as it is");
  require(http::percent_decoded(http::percent_encoded(valid)) == valid,
          "an encoded text is decoded to itself");
}

const target registered{"form", "FormsAreReadAsTheyWereWritten", check};

} // namespace
} // namespace roost::fuzz::form
