#include "listings/ical.hpp"
#include "support/random_cases.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace roost::listings::content_lines_test {

using domain::for_random_cases, domain::int_between;

std::string added(std::string_view name, std::string_view value) {
  content_lines lines;
  lines.add(name, value);
  return lines.take();
}

std::string added_text(std::string_view value) {
  content_lines lines;
  lines.add_text("X", value);
  return lines.take();
}

/// Returns the text's lines without their ends; fails if a line does not end in CR LF, or has a bare CR or
/// LF.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r') {
      EXPECT_EQ(text.substr(i, 2), "\r\n");
      ++i;
      lines.emplace_back();
    } else {
      EXPECT_NE(text[i], '\n');
      lines.back() += text[i];
    }
  }
  EXPECT_EQ(lines.back(), "");
  lines.pop_back();
  return lines;
}

/// Unfolds a text as readers do (RFC 5545, 3.1): removes each line's end that is followed by white space.
std::string unfolded(const std::string& text) {
  std::string whole;
  for (const auto& line : lines_of(text)) {
    if (line.starts_with(' ') && !whole.empty()) {
      whole.resize(whole.size() - 2);
      whole += line.substr(1) + "\r\n";
    } else {
      whole += line + "\r\n";
    }
  }
  return whole;
}

TEST(ContentLines, EndInCarriageReturnAndLineFeed) {
  content_lines lines;
  lines.add("BEGIN", "VCALENDAR");
  lines.add("DTSTART;VALUE=DATE", "20270301");
  EXPECT_EQ(lines.text(), "BEGIN:VCALENDAR\r\nDTSTART;VALUE=DATE:20270301\r\n");
}

TEST(ContentLines, AreNotFoldedUpTo75Octets) {
  EXPECT_EQ(added("X", std::string(73, 'a')), "X:" + std::string(73, 'a') + "\r\n");
}

TEST(ContentLines, AreFoldedFromThe76thOctet) {
  EXPECT_EQ(added("X", std::string(74, 'a')), "X:" + std::string(73, 'a') + "\r\n a\r\n");
}

TEST(ContentLines, CountTheSpaceOfAFoldedLine) {
  EXPECT_EQ(added("X", std::string(73 + 74, 'a')),
            "X:" + std::string(73, 'a') + "\r\n " + std::string(74, 'a') + "\r\n");
  EXPECT_EQ(added("X", std::string(73 + 75, 'a')),
            "X:" + std::string(73, 'a') + "\r\n " + std::string(74, 'a') + "\r\n a\r\n");
}

TEST(ContentLines, FoldEachLineByItself) {
  content_lines lines;
  lines.add("A", std::string(60, 'a'));
  lines.add("B", std::string(74, 'b'));
  lines.add("C", "c");
  EXPECT_EQ(lines.text(),
            "A:" + std::string(60, 'a') + "\r\nB:" + std::string(73, 'b') + "\r\n b\r\nC:c\r\n");
}

TEST(ContentLines, FoldBeforeACharacterThatWouldBeCut) {
  // Octets 74 and 75 of the line, which just fit; then 75 and 76; then three octets and four around the edge.
  EXPECT_EQ(added("X", std::string(71, 'a') + "é!"), "X:" + std::string(71, 'a') + "é\r\n !\r\n");
  EXPECT_EQ(added("X", std::string(72, 'a') + "é"), "X:" + std::string(72, 'a') + "\r\n é\r\n");
  EXPECT_EQ(added("X", std::string(71, 'a') + "€"), "X:" + std::string(71, 'a') + "\r\n €\r\n");
  EXPECT_EQ(added("X", std::string(72, 'a') + "€"), "X:" + std::string(72, 'a') + "\r\n €\r\n");
  for (const std::size_t before : {70U, 71U, 72U})
    EXPECT_EQ(added("X", std::string(before, 'a') + "🏠"), "X:" + std::string(before, 'a') + "\r\n 🏠\r\n");
  EXPECT_EQ(added("X", std::string(69, 'a') + "🏠!"), "X:" + std::string(69, 'a') + "🏠\r\n !\r\n");
}

TEST(ContentLines, FoldInvalidUtf8Anywhere) {
  const auto text = added("X", std::string(200, '\x80'));
  for (const auto& line : lines_of(text)) EXPECT_LE(line.size(), 75U);
  EXPECT_EQ(unfolded(text), "X:" + std::string(200, '\x80') + "\r\n");
}

TEST(ContentLines, EscapeText) {
  EXPECT_EQ(added_text(R"(a\b;c,d:"e")"), "X:"
                                          R"(a\\b\;c\,d:"e")"
                                          "\r\n");
  EXPECT_EQ(added_text(""), "X:\r\n");
  EXPECT_EQ(added_text(R"(\n)"), "X:"
                                 R"(\\n)"
                                 "\r\n");
}

TEST(ContentLines, WriteEveryLineBreakAsOne) {
  EXPECT_EQ(added_text("a\nb"), "X:a\\nb\r\n");
  EXPECT_EQ(added_text("a\r\nb"), "X:a\\nb\r\n");
  EXPECT_EQ(added_text("a\rb\r"), "X:a\\nb\\n\r\n");
  EXPECT_EQ(added_text("\n\n"), "X:\\n\\n\r\n");
}

TEST(ContentLines, OmitForbiddenControlCharacters) {
  using namespace std::string_literals;
  EXPECT_EQ(added_text("a\0\x01\x1b\x7f"s + "b\tc"), "X:ab\tc\r\n");
}

TEST(ContentLines, DoNotEscapeOtherValues) {
  EXPECT_EQ(added("RDATE", "20270101T000000Z,20270102T000000Z"),
            "RDATE:20270101T000000Z,20270102T000000Z\r\n");
}

TEST(ContentLines, RoundTripThroughUnfolding) {
  const std::vector<std::string> characters{"a", " ", "ñ", "€", "🏠", "z"};
  for_random_cases(2000, [&](std::mt19937& random) {
    std::string value;
    for (int left = int_between(random, 0, 300); left > 0; --left)
      value += characters[static_cast<std::size_t>(int_between(random, 0, 5))];
    const auto text = added("X", value);
    const auto lines = lines_of(text);
    for (const auto& line : lines) {
      EXPECT_LE(line.size(), 75U);
      const auto first = static_cast<unsigned char>(line[line.starts_with(' ') && line.size() > 1 ? 1 : 0]);
      EXPECT_NE(first & 0xc0U, 0x80U) << "a character was cut";
    }
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) EXPECT_GE(lines[i].size(), 72U) << "folded too early";
    EXPECT_EQ(unfolded(text), "X:" + value + "\r\n");
  });
}

} // namespace roost::listings::content_lines_test
