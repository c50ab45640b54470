#include "domain/entered_text.hpp"
#include "domain/storable_text.hpp"
#include "domain/text.hpp"
#include "fuzz/support/target.hpp"
#include "fuzz/support/texts.hpp"
#include "oauth/client.hpp"

#include <string>

/// Texts of callers that are shown: names, browsers, subjects of mails.
namespace roost::fuzz::shown_text {
namespace {

void check(std::string_view input) {
  const auto line = domain::one_line(input);
  require(domain::is_storable(line) && !has_control(line), "a line is UTF-8 without controls");
  require(domain::one_line(line) == line, "a line stays as it is");
  const auto visible = domain::without_invisible_characters(input);
  require(domain::without_invisible_characters(visible) == visible, "visible text stays as it is");
  const auto name = oauth::stored_client_name(input);
  require(domain::is_storable(name) && !has_control(name), "a client's name is one line of UTF-8");
  require(domain::character_count(name) <= 255, "a client's name is limited");
  require(!has_control(domain::browser_name(input)), "a browser's name is one line");
  require(!domain::browser_name(input).empty(), "a browser has a name");
  const auto composed = domain::composed(input);
  require(domain::composed(composed) == composed, "composed text stays as it is");
  const auto folded = domain::folded_case(input);
  require(domain::folded_case(folded) == folded, "folded text stays as it is");
  const auto inner = domain::without_outer_blanks(input);
  require(domain::without_outer_blanks(inner) == inner, "text without outer blanks stays as it is");
  for (const char digit : domain::digits_of(input))
    require(digit >= '0' && digit <= '9', "digits are in ASCII");
}

const target registered{"shown_text", "ShownTextsAreOneLineOfUtf8", check};

} // namespace
} // namespace roost::fuzz::shown_text
