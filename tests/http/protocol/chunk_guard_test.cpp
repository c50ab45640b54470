#include "http/protocol/error.hpp"
#include "http/protocol/request_parser.hpp"

#include <gtest/gtest.h>

#include <string>

namespace roost::http::chunk_guard_test {
namespace {

using namespace std::string_literals;
using line = chunk_guard::line;

constexpr std::size_t max_overhead = 4096;

/// What the guard says to a size line that comes byte by byte: "more", "chunk", "last", or "refused" if so at
/// its last byte.
std::string verdict(const std::string& text, bool after_data = false) {
  chunk_guard guard;
  for (std::size_t size = 1; size <= text.size(); ++size) {
    try {
      const auto kind = guard.take_size_line(std::string_view(text).substr(0, size), after_data);
      if (!kind) continue;
      EXPECT_EQ(size, text.size()) << "complete before its last byte";
      return kind == line::chunk ? "chunk" : "last";
    } catch (const error& refusal) {
      EXPECT_EQ(refusal.status, 400U);
      EXPECT_EQ(size, text.size()) << "refused before its last byte";
      return "refused";
    }
  }
  return "more";
}

} // namespace

TEST(SizeLine, IsCompleteWithItsLineFeed) {
  for (const auto* text :
       {"1\r\n", "f\r\n", "aBcDeF\r\n", "01\r\n", "1;a\r\n", "1;a=\"b;c\"\r\n", "ffffffffffffffff\r\n"})
    EXPECT_EQ(verdict(text), "chunk") << text;
  for (const auto* text : {"", "1", "1\r", "1;", "1;a=b", "1;a=b\r"})
    EXPECT_EQ(verdict(text), "more") << text;
}

TEST(SizeLine, OfZeroIsTheLast) {
  for (const auto* text : {"0\r\n", "000\r\n", "0000000000000000\r\n", "0;a=1\r\n"})
    EXPECT_EQ(verdict(text), "last") << text;
  EXPECT_EQ(verdict("10\r\n"), "chunk");
}

TEST(Size, IsRefusedAtTheFirstByteThatIsNoDigit) {
  for (const auto* text :
       {"g", "\r", ";", " ", "\t", "-", "+", "\n", "0x", "1 ", "1\t", "1,", "1\n", "1g", "1="})
    EXPECT_EQ(verdict(text), "refused") << text;
  EXPECT_EQ(verdict("\0"s), "refused");
}

TEST(Size, HasAtMost16Digits) {
  EXPECT_EQ(verdict("0000000000000001\r\n"), "chunk");
  EXPECT_EQ(verdict("00000000000000001"), "refused");
}

TEST(EndOfData, IsALineEndAndNothingElse) {
  EXPECT_EQ(verdict("\r\n1\r\n", true), "chunk");
  EXPECT_EQ(verdict("\r\n0\r\n", true), "last");
  for (const auto* text : {"\r", "\r\n", "\r\n1\r"}) EXPECT_EQ(verdict(text, true), "more") << text;
  for (const auto* text : {"\n", "a", "0", "\ra", "\r\r", "\r\n\r", "\r\n\n"})
    EXPECT_EQ(verdict(text, true), "refused") << text;
}

TEST(Extension, IsRefusedAtAByteThatNoLineMayHold) {
  for (int byte = 0; byte <= 0xff; ++byte) {
    if (byte == '\r') continue;
    const bool allowed = byte == '\t' || (byte >= ' ' && byte != 0x7f);
    EXPECT_EQ(verdict("1;a" + std::string(1, static_cast<char>(byte))), allowed ? "more" : "refused") << byte;
  }
  EXPECT_EQ(verdict("1;a\rb"), "refused");
  EXPECT_EQ(verdict("1;a\r\r"), "refused");
}

TEST(Extension, MayFillTheLimitAndNoByteMore) {
  const std::string longest = ";a=" + std::string(max_overhead - 3, 'x');
  EXPECT_EQ(verdict("1" + longest + "\r\n"), "chunk");
  EXPECT_EQ(verdict("1" + longest + "x"), "refused");
}

TEST(ExtensionsAndTrailers, ShareOneLimit) {
  chunk_guard guard;
  const std::string half = "1;" + std::string(max_overhead / 2 - 1, 'x') + "\r\n";
  EXPECT_EQ(guard.take_size_line(half, false), line::chunk);
  const std::string trailer = "X:" + std::string(max_overhead / 2 - 2, 'x') + "\r\n";
  // An incomplete line counts once, however often it is looked at.
  EXPECT_EQ(guard.take_trailer(trailer.substr(0, trailer.size() - 2)), std::nullopt);
  EXPECT_EQ(guard.take_trailer(trailer.substr(0, trailer.size() - 1)), std::nullopt);
  EXPECT_EQ(guard.take_trailer(trailer), trailer.substr(0, trailer.size() - 2));
  EXPECT_EQ(guard.take_size_line("1\r\n", false), line::chunk);
  EXPECT_EQ(guard.take_trailer("\r\n"), "");
  EXPECT_THROW(guard.take_trailer("X"), error);
  EXPECT_THROW(guard.take_size_line("1;", false), error);
}

TEST(Trailer, IsCompleteWithItsLineFeed) {
  chunk_guard guard;
  for (const auto* text : {"", "X", "X:", "X: y", "X: y\r", "\r"})
    EXPECT_EQ(guard.take_trailer(text), std::nullopt) << text;
  for (const auto* text : {"X:", "X: y", "Content-Length: 99", "Transfer-Encoding: chunked", "X: \t\xff"})
    EXPECT_EQ(guard.take_trailer(text + "\r\n"s), text);
  EXPECT_EQ(guard.take_trailer("\r\n"), "");
}

TEST(Trailer, NeedsATokenForAName) {
  for (const auto* text : {"X", ":", ": y", " X: y", "\tX: y", "X : y", "X\t: y", "X(: y", "\xff: y"})
    EXPECT_THROW(chunk_guard().take_trailer(text + "\r\n"s), error) << text;
}

TEST(Trailer, IsRefusedAtAByteThatNoLineMayHold) {
  for (const auto& text : {"X: \0"s, "X: \x01"s, "X: \x7f"s, "X\n"s, "\n"s, "X: y\ra"s, "\ra"s, "\r\r"s})
    EXPECT_THROW(chunk_guard().take_trailer(text), error) << text;
}

} // namespace roost::http::chunk_guard_test
