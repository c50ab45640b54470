#include "http/protocol/error.hpp"
#include "http/protocol/head.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace roost::http::head_test {
namespace {

using namespace std::string_literals;

const std::string block = "GET /hello HTTP/1.1\r\nHost: a\r\nX:\tb\tc\r\n\r\n";

/// Returns the status of the refusal at the last of these bytes; 0 if they are accepted.
unsigned refusal_of_bytes(const std::string& bytes) {
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

/// Returns a block of this many bytes, padded by its last field.
std::string block_of(std::size_t size) {
  const std::string start = "GET / HTTP/1.1\r\nX: ";
  return start + std::string(size - start.size() - 4, 'x') + "\r\n\r\n";
}

/// Returns the status of a check's refusal; 0 if it passes.
unsigned refusal_of(const std::function<void()>& check) {
  try {
    check();
  } catch (const error& refusal) {
    return refusal.status;
  }
  return 0;
}

unsigned refusal_of_length(std::string_view value) {
  return refusal_of([&] { check_content_length(value); });
}

unsigned refusal_of_coding(std::string_view value, unsigned minor_version = 1) {
  return refusal_of([&] { check_transfer_encoding({.transfer_encoding = value}, minor_version); });
}

/// Returns the target for handlers, or the status of the refusal.
std::string target_of(std::string text, std::string_view method = "GET") {
  try {
    return std::string(read_target(text.data(), text.size(), method));
  } catch (const error& refusal) {
    return std::to_string(refusal.status);
  }
}

} // namespace

TEST(HeadScanner, FindsTheEndAtTheLastByte) {
  head_scanner scanner;
  for (std::size_t size = 0; size < block.size(); ++size)
    ASSERT_FALSE(scanner.scan(std::string_view(block).substr(0, size))) << size;
  EXPECT_EQ(scanner.scan(block), block.size());
}

TEST(HeadScanner, FindsTheEndAndIgnoresFollowingBytes) {
  EXPECT_EQ(head_scanner().scan(block), block.size());
  EXPECT_EQ(head_scanner().scan(block + "\0\n \x7f"s + block), block.size());
}

TEST(HeadScanner, RefusesControlCharactersImmediately) {
  for (int byte = 0; byte <= 0x7f; ++byte) {
    if ((byte >= ' ' && byte != 0x7f) || byte == '\r' || byte == '\t') continue;
    const std::string control(1, static_cast<char>(byte));
    for (const auto* before : {"", "GE", "GET /a", "GET / HTTP/1.1", "GET / HTTP/1.1\r\n",
                               "GET / HTTP/1.1\r\nX", "GET / HTTP/1.1\r\nX: a", "GET / HTTP/1.1\r\nX: a\r\n"})
      EXPECT_EQ(refusal_of_bytes(before + control), 400U) << byte << " after " << before;
  }
}

TEST(HeadScanner, AcceptsBytesAboveAscii) {
  EXPECT_EQ(refusal_of_bytes("GET /\x80 HTTP/1.1\r\nX: \xc3\xa9\xff\r\n\r\n"), 0U);
}

TEST(HeadScanner, AcceptsATabInAFieldOnly) {
  EXPECT_EQ(refusal_of_bytes("GET / HTTP/1.1\r\nX:\ta\t"), 0U);
  EXPECT_EQ(refusal_of_bytes("GET\t"), 400U);
}

TEST(HeadScanner, RefusesACarriageReturnWithoutALineFeed) {
  EXPECT_EQ(refusal_of_bytes("GET / HTTP/1.1\r"), 0U);
  for (const auto* before : {"GET / HTTP/1.1\r", "GET / HTTP/1.1\r\nX: a\r", "GET / HTTP/1.1\r\nX: a\r\n\r"})
    for (const auto* after : {"a", " ", "\r"})
      EXPECT_EQ(refusal_of_bytes(before + std::string(after)), 400U) << before;
}

TEST(HeadScanner, RefusesAnEmptyRequestLine) { EXPECT_EQ(refusal_of_bytes("\r\n"), 400U); }

TEST(HeadScanner, RefusesAFoldedLineAtItsFirstByte) {
  for (const auto* before : {"GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nX: a\r\n", "GET / HTTP/1.1\r\nX:\r\n"})
    for (const auto* blank : {" ", "\t"}) {
      EXPECT_EQ(refusal_of_bytes(before + std::string(blank)), 400U) << before;
      EXPECT_THROW(head_scanner().scan(before + std::string(blank) + "b\r\n\r\n"), error);
    }
}

TEST(HeadScanner, LimitsTheLengthOfTheBlock) {
  EXPECT_EQ(head_scanner().scan(block_of(max_head)), max_head);
  EXPECT_EQ(refusal_of_bytes(block_of(max_head)), 0U);
  EXPECT_EQ(refusal_of_bytes(block_of(max_head + 2).substr(0, max_head + 1)), 431U);
  try {
    head_scanner().scan(block_of(max_head + 1));
    FAIL();
  } catch (const error& refusal) {
    EXPECT_EQ(refusal.status, 431U);
  }
}

TEST(HeadScanner, LimitsTheBlockOnly) {
  EXPECT_EQ(head_scanner().scan(block + std::string(2 * max_head, 'x')), block.size());
}

TEST(HeadScanner, LimitsTheLengthOfTheFirstLine) {
  const std::string longest = "OPTIONS /" + std::string(max_target - 1, 'x') + " HTTP/1.1\r\n";
  EXPECT_EQ(refusal_of_bytes(longest), 0U);
  EXPECT_EQ(refusal_of_bytes("GET /" + std::string(max_target + 64 - 5, 'x')), 0U);
  EXPECT_EQ(refusal_of_bytes("GET /" + std::string(max_target + 64 - 4, 'x')), 414U);
}

TEST(RepeatedFields, AreRefusedEvenIfEqual) {
  std::optional<std::string_view> slot;
  EXPECT_EQ(refusal_of([&] { set_once(slot, "Host", "a"); }), 0U);
  EXPECT_EQ(slot, "a");
  EXPECT_EQ(refusal_of([&] { set_once(slot, "Host", "b"); }), 400U);
  EXPECT_EQ(refusal_of([&] { set_once(slot, "Host", "a"); }), 400U);
  slot = "";
  EXPECT_EQ(refusal_of([&] { set_once(slot, "Host", ""); }), 400U);
}

TEST(Host, MayBeANameAnAddressOrALiteralWithAPort) {
  for (const auto* host : {"a", "a.example", "a-b_c~d.e", "127.0.0.1", "a:", "a:0", "a:80", "a:65535",
                           "[::1]", "[::1]:443", "[2001:db8::1]:", "a%41", "!$&'()*+;="})
    EXPECT_TRUE(is_valid_host(host)) << host;
}

TEST(Host, IsRefusedIfAmbiguous) {
  for (const auto* host :
       {"",         ":80",     "a b",        "a,b",      "a, b", "u@a",         "a/b",      "a?b",
        "a#b",      "a\\b",    "a\"b",       "http://a", "a:b",  "a:+1",        "a:1:2",    "a:65536",
        "a:000080", "a%",      "a%4",        "a%4g",     "[::1", "::1",         "[]",       "[::g]",
        "[::1]a",   "[::1]:x", "[::1%eth0]", "[::1]]",   "a[",   "[127.0.0.1]", "\xc3\xa9", "a\x7f"})
    EXPECT_FALSE(is_valid_host(host)) << host;
}

TEST(Host, MayBeMissingInVersion10Only) {
  EXPECT_EQ(refusal_of([] { check_host(std::nullopt, 0); }), 0U);
  EXPECT_EQ(refusal_of([] { check_host(std::nullopt, 1); }), 400U);
  for (const unsigned minor_version : {0U, 1U}) {
    EXPECT_EQ(refusal_of([&] { check_host("a", minor_version); }), 0U);
    EXPECT_EQ(refusal_of([&] { check_host("", minor_version); }), 400U);
    EXPECT_EQ(refusal_of([&] { check_host("a b", minor_version); }), 400U);
  }
}

TEST(ContentLength, IsDigitsWithoutALeadingZero) {
  for (const auto* value : {"0", "1", "10", "999999999999999999"})
    EXPECT_EQ(refusal_of_length(value), 0U) << value;
  for (const auto* value : {"", "00", "01", "+1", "-1", "0x1", "1a", "1 ", " 1", "1 1", "1,1", "1, 1", "1;",
                            "\"1\"", "1.0", "1e1", "1000000000000000000", "18446744073709551616"})
    EXPECT_EQ(refusal_of_length(value), 400U) << value;
}

TEST(TransferEncoding, IsChunkedInAnyCaseAndNothingElse) {
  EXPECT_EQ(refusal_of([] { check_transfer_encoding({}, 1); }), 0U);
  for (const auto* value : {"chunked", "CHUNKED", "cHunKed"})
    EXPECT_EQ(refusal_of_coding(value), 0U) << value;
  for (const auto* value :
       {"", "chunke", "xchunked", "chunkedx", "identity", "gzip", "gzip, chunked", "chunked, gzip",
        "chunked, chunked", "chunked,", ",chunked", "chunked;a=b", "\"chunked\"", "chun ked"})
    EXPECT_EQ(refusal_of_coding(value), 400U) << value;
}

TEST(TransferEncoding, IsRefusedInVersion10AndWithALength) {
  EXPECT_EQ(refusal_of_coding("chunked", 0), 400U);
  for (const auto* length : {"", "0", "5"})
    EXPECT_EQ(refusal_of([&] {
                check_transfer_encoding({.content_length = length, .transfer_encoding = "chunked"}, 1);
              }),
              400U);
  EXPECT_EQ(refusal_of([] { check_transfer_encoding({.content_length = "5"}, 1); }), 0U);
}

TEST(Expectation, Is100ContinueOnly) {
  for (const auto* value : {"100-continue", "100-Continue"})
    EXPECT_EQ(refusal_of([&] { check_expectation(value); }), 0U) << value;
  for (const auto* value : {"", "100", "100-continue, x", "wonders"})
    EXPECT_EQ(refusal_of([&] { check_expectation(value); }), 417U) << value;
}

TEST(Target, IsUnchangedInOriginForm) {
  for (const auto* target : {"/", "/a", "/a?b", "/?", "//a/b", "/a/../b", "/%00", "/a:b@c"})
    EXPECT_EQ(target_of(target), target);
}

TEST(Target, LosesSchemeAndAuthorityInAbsoluteForm) {
  EXPECT_EQ(target_of("http://a/b?c"), "/b?c");
  EXPECT_EQ(target_of("HTTPS://a:443/b"), "/b");
  EXPECT_EQ(target_of("http://[::1]:80/"), "/");
}

TEST(Target, GetsASlashInAbsoluteFormWithoutAPath) {
  EXPECT_EQ(target_of("http://a"), "/");
  EXPECT_EQ(target_of("http://a?b=/c"), "/?b=/c");
}

TEST(Target, RequiresAValidAuthorityAndAnHttpSchemeInAbsoluteForm) {
  for (const auto* target : {"http://", "http:///a", "http://?a", "http://u@a/", "http://a:b/", "http://a b/",
                             "http:/a", "ftp://a/", "a://b/", "a", "a/b", "?a", "http"})
    EXPECT_EQ(target_of(target), "400") << target;
}

TEST(Target, AllowsAsteriskAndAuthorityFormForTheirMethodsOnly) {
  EXPECT_EQ(target_of("*", "OPTIONS"), "*");
  EXPECT_EQ(target_of("*", "GET"), "400");
  EXPECT_EQ(target_of("**", "OPTIONS"), "400");
  EXPECT_EQ(target_of("a:443", "CONNECT"), "a:443");
  EXPECT_EQ(target_of("a:443", "GET"), "400");
  for (const auto* target : {"a", "/", "http://a:443/", "u@a:443", "a:b"})
    EXPECT_EQ(target_of(target, "CONNECT"), "400") << target;
}

TEST(Target, IsPrintableAsciiWithoutAFragment) {
  for (int byte = 0; byte <= 0xff; ++byte) {
    const bool allowed = byte > ' ' && byte < 0x7f && byte != '#';
    EXPECT_EQ(target_of("/a" + std::string(1, static_cast<char>(byte))) != "400", allowed) << byte;
  }
}

TEST(Target, HasALimit) {
  EXPECT_EQ(target_of("/" + std::string(max_target - 1, 'a')).size(), max_target);
  EXPECT_EQ(target_of("/" + std::string(max_target, 'a')), "414");
}

TEST(Version, IsUnsupportedIfWellFormedElseMalformed) {
  for (const auto* line : {"GET / HTTP/1.2", "GET / HTTP/0.9", "GET / HTTP/2.1", "GET / HTTP/9.9"})
    EXPECT_EQ(refusal_of([&] { refuse_version(line); }), 505U) << line;
  for (const auto* line :
       {"GET /", "GET / ", "GET / HTTP/1.10", "GET / HTTP/1", "GET / http/1.2", "GET / a HTTP/1.2",
        "GET / HTTP/1.2 ", "GET / HTTP/1,2", "GET / ICAP/1.2", "PRI * HTTP/2.0"})
    EXPECT_EQ(refusal_of([&] { refuse_version(line); }), 400U) << line;
}

} // namespace roost::http::head_test
