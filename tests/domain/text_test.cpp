#include "domain/text.hpp"
#include "support/random_cases.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace roost::domain::text_test {
TEST(PrintableSequence, IsAsLongAsTheCharacterAtTheFront) {
  EXPECT_EQ(printable_sequence("\u00e9t\u00e9"), 2U);
  EXPECT_EQ(printable_sequence("\u20ac"), 3U);
  EXPECT_EQ(printable_sequence("\U0001f600"), 4U);
  EXPECT_EQ(printable_sequence("\u00a0"), 2U) << "the first after the C1 controls";
}

TEST(PrintableSequence, IsZeroForControlCharacters) {
  for (const auto* text :
       {"\xc2\x80", "\xc2\x9f", "\u2028", "\u2029", "\u202a", "\u202e", "\u2066", "\u2069"})
    EXPECT_EQ(printable_sequence(text), 0U) << text;
  for (const auto* text : {"\u2027", "\u202f", "\u2065", "\u206a", "\u200f"})
    EXPECT_EQ(printable_sequence(text), 3U) << text;
}

TEST(PrintableSequence, IsZeroForInvalidUtf8) {
  for (const auto* text : {"", "\x80", "\xc1\xbf", "\xc3", "\xe2\x82", "\xe0\x9f\xbf", "\xed\xa0\x80",
                           "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xff"})
    EXPECT_EQ(printable_sequence(text), 0U);
}

TEST(OneLine, LeavesTextAsItIs) {
  EXPECT_EQ(one_line("Calle Mayor 1, 2º B"), "Calle Mayor 1, 2º B");
  EXPECT_EQ(one_line(""), "");
}

TEST(OneLine, MakesOneSpaceOfARunOfSpacesAndControlCharacters) {
  EXPECT_EQ(one_line("Ada  Marsh\r\nBcc: x@y.example"), "Ada Marsh Bcc: x@y.example");
  EXPECT_EQ(one_line({"a\tb\0c\x1b\x7f d", 9}), "a b c d");
}

TEST(OneLine, RemovesTerminalAndBidirectionalControls) {
  EXPECT_EQ(one_line("a\xc2\x9b"
                     "31mb"),
            "a 31mb"); // CSI as a C1 control
  EXPECT_EQ(one_line("1\xe2\x80\xae"
                     "fdp.exe"),
            "1 fdp.exe"); // right-to-left override
  EXPECT_EQ(one_line("a\xe2\x81\xa6\xe2\x80\xa8"
                     "b"),
            "a b");
  EXPECT_EQ(one_line("a\xff"
                     "b"),
            "a b"); // no UTF-8
}

TEST(OneLine, LeavesNothingAtTheEnds) {
  EXPECT_EQ(one_line("\n Room 2\t"), "Room 2");
  EXPECT_EQ(one_line(" \r\n\x01"), "");
}

TEST(FoldedCase, IgnoresLetterCase) {
  for (const auto& [one, other] : std::vector<std::pair<std::string, std::string>>{
           {"Feeds@House.example", "feeds@HOUSE.example"},
           {"MÜLLER@häuser.example", "müller@HÄUSER.example"},
           {"straße@house.example", "STRASSE@house.example"},
           {"ΟΔΥΣΣΕΎΣ@house.example", "οδυσσεύς@house.example"}, // a sigma at the end, too
           {"ИВАН@дом.example", "иван@ДОМ.example"},
           {"ﬁnn@house.example", "FINN@house.example"}, // a ligature
           {"ẞ", "ss"}})
    EXPECT_EQ(folded_case(one), folded_case(other)) << one;
}

TEST(FoldedCase, KeepsOtherTextsApart) {
  EXPECT_NE(folded_case("muller@house.example"), folded_case("müller@house.example"));
  EXPECT_NE(folded_case("i"), folded_case("ı"));
  EXPECT_NE(folded_case("a"), folded_case("а")); // a Cyrillic one
  EXPECT_EQ(folded_case(""), "");
  EXPECT_EQ(folded_case("Łódź-1_2"), "łódź-1_2");
}

TEST(FoldedCase, KeepsOtherCharactersOfNonAsciiAddresses) {
  EXPECT_EQ(folded_case("É²½@ﬀ…日本.example"), "é²½@ff…日本.example");
  EXPECT_EQ(folded_case(std::string_view("É\0A", 4)), std::string_view("é\0a", 4));
}

TEST(FoldedCase, LeavesInvalidUtf8Unchanged) {
  for (const std::string_view broken : {"A\x80", "\xc3", "É\xff", "\xed\xa0\x80 A"})
    EXPECT_EQ(folded_case(broken), broken);
}

TEST(CsvCell, IsQuotedIfItContainsWhatSeparatesCells) {
  EXPECT_EQ(csv_cell("Rua 1"), "Rua 1");
  EXPECT_EQ(csv_cell(""), "");
  EXPECT_EQ(csv_cell("Rua 1, 2"), "\"Rua 1, 2\"");
  EXPECT_EQ(csv_cell("the \"blue\" one"), "\"the \"\"blue\"\" one\"");
  EXPECT_EQ(csv_cell("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_cell("two\rlines"), "\"two\rlines\"");
}

TEST(EscapedFormula, HasAnApostropheBeforeWhatASpreadsheetWouldRun) {
  for (const std::string formula : {"=1+1", "+1", "-1", "@sum", "\tx", "\rx"})
    EXPECT_EQ(escape_formula(formula), "'" + formula);
  for (const std::string text : {"", "1=1", " =1", "x", "'", "'x"}) EXPECT_EQ(escape_formula(text), text);
}

TEST(EscapedFormula, CanBeRestored) {
  EXPECT_EQ(unescape_formula("'=1"), "=1");
  EXPECT_EQ(unescape_formula("=1"), "=1") << "a client wrote it";
  for_random_cases(2'000, [](std::mt19937& random) {
    std::string text;
    for (auto length = between(random, 0, 6); length > 0; --length)
      text += std::string("''=+-@\t\r\n\",x ")[static_cast<std::size_t>(between(random, 0, 12))];
    const auto escaped = escape_formula(text);
    EXPECT_EQ(unescape_formula(escaped), text);
    EXPECT_TRUE(escaped.find_first_of("=+-@\t\r") != 0) << escaped;
  });
}

TEST(BrowserName, NamesBrowserAndSystem) {
  EXPECT_EQ(browser_name("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0"),
            "Firefox on Windows");
  EXPECT_EQ(browser_name("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
                         "Chrome/126.0.0.0 Safari/537.36"),
            "Chrome on Linux");
  EXPECT_EQ(browser_name("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
                         "Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0"),
            "Edge on Windows");
  EXPECT_EQ(
      browser_name("Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                   "Version/17.5 Safari/605.1.15"),
      "Safari on macOS");
  EXPECT_EQ(
      browser_name("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, "
                   "like Gecko) CriOS/126.0 Mobile/15E148 Safari/604.1"),
      "Chrome on iPhone");
  EXPECT_EQ(browser_name("Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) "
                         "SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36"),
            "Samsung Internet on Android");
}

TEST(BrowserName, IsTheProductOfOtherPrograms) {
  EXPECT_EQ(browser_name("curl/7.88.1"), "curl");
  EXPECT_EQ(browser_name("python-requests/2.31 (cron)"), "python-requests");
}

TEST(BrowserName, ShowsNothingThatCouldMislead) {
  for (const auto* text : {"", "/1", "\x1b[31mred", "Ünïcode/1"})
    EXPECT_EQ(browser_name(text), "Unknown browser");
  EXPECT_EQ(browser_name(std::string(41, 'x')), "Unknown browser");
  EXPECT_EQ(browser_name(std::string(40, 'x')), std::string(40, 'x'));
}

} // namespace roost::domain::text_test
