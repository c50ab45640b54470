#include "http/protocol/error.hpp"
#include "http/protocol/head.hpp"

#include <gtest/gtest.h>

#include <string>

namespace roost::http::head_scanner_test {
namespace {

using namespace std::string_literals;

const std::string block = "GET /hello HTTP/1.1\r\nHost: a\r\nX:\tb\tc\r\n\r\n";

/// The status with which these bytes are refused as soon as the last of them is here; 0 when they are not.
unsigned refusal_of(const std::string& bytes) {
  head_scanner scanner;
  try {
    for (std::size_t size = 1; size < bytes.size(); ++size)
      scanner.scan(std::string_view(bytes).substr(0, size));
  } catch (const error&) {
    ADD_FAILURE() << "refused before the last byte";
  }
  try {
    scanner.scan(bytes);
  } catch (const error& refusal) {
    return refusal.status;
  }
  return 0;
}

/// A block of this many bytes whose last field makes up for what is missing.
std::string block_of(std::size_t size) {
  const std::string start = "GET / HTTP/1.1\r\nX: ";
  return start + std::string(size - start.size() - 4, 'x') + "\r\n\r\n";
}

} // namespace

TEST(HeadScanner, FindsTheEndWhenItsLastByteIsHere) {
  head_scanner scanner;
  for (std::size_t size = 0; size < block.size(); ++size)
    ASSERT_FALSE(scanner.scan(std::string_view(block).substr(0, size))) << size;
  EXPECT_EQ(scanner.scan(block), block.size());
}

TEST(HeadScanner, FindsTheSameEndInWhatComesAtOnceAndIgnoresWhatFollows) {
  EXPECT_EQ(head_scanner().scan(block), block.size());
  EXPECT_EQ(head_scanner().scan(block + "\0\n \x7f"s + block), block.size());
}

TEST(HeadScanner, RefusesControlCharactersAtOnceInLinesAndBetweenThem) {
  for (int byte = 0; byte <= 0x7f; ++byte) {
    if ((byte >= ' ' && byte != 0x7f) || byte == '\r' || byte == '\t') continue;
    const std::string control(1, static_cast<char>(byte));
    for (const auto* before : {"", "GE", "GET /a", "GET / HTTP/1.1", "GET / HTTP/1.1\r\n",
                               "GET / HTTP/1.1\r\nX", "GET / HTTP/1.1\r\nX: a", "GET / HTTP/1.1\r\nX: a\r\n"})
      EXPECT_EQ(refusal_of(before + control), 400U) << byte << " after " << before;
  }
}

TEST(HeadScanner, TakesBytesAboveAscii) {
  EXPECT_EQ(refusal_of("GET /\x80 HTTP/1.1\r\nX: \xc3\xa9\xff\r\n\r\n"), 0U);
}

TEST(HeadScanner, TakesATabInAFieldButNotInTheRequestLine) {
  EXPECT_EQ(refusal_of("GET / HTTP/1.1\r\nX:\ta\t"), 0U);
  EXPECT_EQ(refusal_of("GET\t"), 400U);
}

TEST(HeadScanner, WaitsForTheByteAfterACarriageReturnAndRefusesAllButALineFeed) {
  EXPECT_EQ(refusal_of("GET / HTTP/1.1\r"), 0U);
  for (const auto* before : {"GET / HTTP/1.1\r", "GET / HTTP/1.1\r\nX: a\r", "GET / HTTP/1.1\r\nX: a\r\n\r"})
    for (const auto* after : {"a", " ", "\r"})
      EXPECT_EQ(refusal_of(before + std::string(after)), 400U) << before;
}

TEST(HeadScanner, RefusesAnEmptyRequestLine) { EXPECT_EQ(refusal_of("\r\n"), 400U); }

TEST(HeadScanner, RefusesAFoldedLineAtItsFirstByte) {
  for (const auto* before : {"GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nX: a\r\n", "GET / HTTP/1.1\r\nX:\r\n"})
    for (const auto* blank : {" ", "\t"}) {
      EXPECT_EQ(refusal_of(before + std::string(blank)), 400U) << before;
      EXPECT_THROW(head_scanner().scan(before + std::string(blank) + "b\r\n\r\n"), error);
    }
}

TEST(HeadScanner, TakesABlockOfTheLimitAndNoByteMore) {
  EXPECT_EQ(head_scanner().scan(block_of(max_head)), max_head);
  EXPECT_EQ(refusal_of(block_of(max_head)), 0U);
  EXPECT_EQ(refusal_of(block_of(max_head + 2).substr(0, max_head + 1)), 431U);
  try {
    head_scanner().scan(block_of(max_head + 1));
    FAIL();
  } catch (const error& refusal) {
    EXPECT_EQ(refusal.status, 431U);
  }
}

TEST(HeadScanner, MeasuresTheBlockAloneWhenMoreHasCome) {
  EXPECT_EQ(head_scanner().scan(block + std::string(2 * max_head, 'x')), block.size());
}

TEST(HeadScanner, TakesAFirstLineWithTheLongestTargetAndRefusesOneThatCannotHaveAValidTarget) {
  const std::string longest = "OPTIONS /" + std::string(max_target - 1, 'x') + " HTTP/1.1\r\n";
  EXPECT_EQ(refusal_of(longest), 0U);
  EXPECT_EQ(refusal_of("GET /" + std::string(max_target + 64 - 5, 'x')), 0U);
  EXPECT_EQ(refusal_of("GET /" + std::string(max_target + 64 - 4, 'x')), 414U);
}

} // namespace roost::http::head_scanner_test
