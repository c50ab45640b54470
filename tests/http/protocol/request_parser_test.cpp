// What Boost.Beast's parser and the checks beside it do together: which requests are read, what a handler
// sees of them, and where they end. How the bytes are cut into segments must not matter.
#include "http/protocol/error.hpp"
#include "http/protocol/head.hpp"
#include "http/protocol/request_parser.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace roost::http::request_parser_test {
namespace {

constexpr std::size_t max_body = 64;

/// What became of some bytes. Equal for equal bytes, however they were cut.
struct outcome {
  unsigned status = 0; ///< of the refusal; 0 without one
  bool complete = false;
  std::size_t end = 0; ///< bytes of the message, when it is complete
  std::string values;  ///< what a handler would see, in one text
  head header;
  std::string body;

  bool operator==(const outcome& other) const {
    return status == other.status && complete == other.complete && end == other.end &&
           values == other.values && body == other.body;
  }
};

void PrintTo(const outcome& result, std::ostream* out) {
  *out << result.status << (result.complete ? " complete, " : " incomplete, ") << result.end << " bytes, "
       << result.values << ", body " << result.body;
}

std::string join(const request& req) {
  std::string text = std::string(req.method) + "|" + std::string(req.target) + "|" + std::string(req.path) +
                     "|" + std::string(req.query);
  for (const auto& field : req.fields) text += "|" + std::string(field.name) + "=" + std::string(field.value);
  return text;
}

/// Reads the bytes as a connection does, `step` at a time.
class reader {
public:
  reader(std::string_view bytes, std::size_t step) : bytes_(bytes), step_(std::max<std::size_t>(step, 1)) {}

  outcome run() {
    try {
      read();
    } catch (const error& refusal) {
      result_ = {};
      result_.status = refusal.status;
    }
    return result_;
  }

private:
  void read() {
    head_scanner scanner;
    std::optional<std::size_t> size;
    for (std::size_t here = 0; !size; size = scanner.scan(bytes_.substr(0, here))) {
      if (here == bytes_.size()) return;
      here = std::min(here + step_, bytes_.size());
    }
    std::string block(bytes_.substr(0, *size));
    request req;
    request_parser parser(max_body);
    result_.header = parser.read_head(block.data(), block.size(), req);
    result_.values = join(req);
    result_.end = *size;
    result_.complete = true;
    if (result_.header.body == framing::chunked) read_body(parser);
  }

  void read_body(request_parser& parser) {
    while (!parser.body_is_complete()) {
      const auto part = bytes_.substr(result_.end, step_);
      result_.complete = !part.empty();
      if (part.empty()) return;
      result_.end += parser.read_chunks(part, result_.body);
    }
  }

  std::string_view bytes_;
  std::size_t step_;
  outcome result_;
};

outcome read(std::string_view bytes) { return reader(bytes, bytes.size()).run(); }

std::string get(const std::string& fields) { return "GET /a?b HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n"; }
std::string chunked(const std::string& body) { return get("Transfer-Encoding: chunked\r\n") + body; }
unsigned refusal_of(const std::string& bytes) { return read(bytes).status; }

} // namespace

TEST(RequestParser, HandsOverViewsOfTheHeader) {
  std::string block = "PATCH /a/b?c=d?e HTTP/1.1\r\nHost: h\r\nX-Y: \t v w\t \r\nempty:\r\nX-Y:2\r\n\r\n";
  request req;
  const auto header = request_parser(max_body).read_head(block.data(), block.size(), req);
  EXPECT_EQ(join(req), "PATCH|/a/b?c=d?e|/a/b|c=d?e|Host=h|X-Y=v w|empty=|X-Y=2");
  EXPECT_EQ(header.minor_version, 1U);
  EXPECT_EQ(header.body, framing::none);
  for (const auto& field : req.fields) {
    EXPECT_GE(field.name.data(), block.data());
    EXPECT_LE(field.value.data() + field.value.size(), block.data() + block.size());
  }
}

TEST(RequestParser, TakesAMethodThatBeastDoesNotKnow) {
  EXPECT_EQ(read("m!thod / HTTP/1.0\r\n\r\n").values, "m!thod|/|/|");
}

TEST(RequestParser, TakesTheAuthorityOutOfTheTarget) {
  EXPECT_EQ(read("GET http://h?q HTTP/1.1\r\nHost: h\r\n\r\n").values, "GET|/?q|/|q|Host=h");
}

TEST(RequestParser, TellsHowTheBodyIsFramed) {
  EXPECT_EQ(read(get("")).header.body, framing::none);
  EXPECT_EQ(read(get("Content-Length: 0\r\n")).header.body, framing::none);
  const auto sized = read(get("Content-Length: 999999999999999999\r\n")).header;
  EXPECT_EQ(sized.body, framing::length);
  EXPECT_EQ(sized.content_length, 999999999999999999U) << "the limit of the body is not the header's matter";
  EXPECT_EQ(read(chunked("0\r\n\r\n")).header.body, framing::chunked);
}

TEST(RequestParser, KeepsAConnectionAsItsVersionAndAllConnectionFieldsSay) {
  const auto kept = [](const std::string& version, const std::string& fields) {
    return read("GET / HTTP/" + version + "\r\nHost: h\r\n" + fields + "\r\n").header.keep_alive;
  };
  EXPECT_TRUE(kept("1.1", ""));
  EXPECT_FALSE(kept("1.1", "Connection: CLOSE\r\n"));
  EXPECT_FALSE(kept("1.1", "Connection: keep-alive\r\nConnection: ,x , close\r\n"));
  EXPECT_FALSE(kept("1.0", ""));
  EXPECT_TRUE(kept("1.0", "Connection: Keep-Alive\r\n"));
  EXPECT_FALSE(kept("1.0", "Connection: keep-alive, close\r\n"));
  EXPECT_FALSE(read("CONNECT h:1 HTTP/1.1\r\nHost: h\r\n\r\n").header.keep_alive);
}

TEST(RequestParser, IgnoresProxyConnection) {
  EXPECT_TRUE(read(get("Proxy-Connection: close\r\n")).header.keep_alive);
  EXPECT_FALSE(read("GET / HTTP/1.0\r\nProxy-Connection: keep-alive\r\n\r\n").header.keep_alive);
}

TEST(RequestParser, ExpectsToContinueOnlyWithABodyAndInVersion11) {
  const std::string expect = "Expect: 100-continue\r\n";
  EXPECT_TRUE(read(get(expect + "Content-Length: 1\r\n")).header.expects_continue);
  EXPECT_TRUE(read(get(expect + "Transfer-Encoding: chunked\r\n")).header.expects_continue);
  EXPECT_FALSE(read(get(expect)).header.expects_continue);
  EXPECT_FALSE(read("POST / HTTP/1.0\r\n" + expect + "Content-Length: 1\r\n\r\n").header.expects_continue);
  EXPECT_EQ(read("POST / HTTP/1.0\r\nExpect: wonders\r\nContent-Length: 1\r\n\r\n").status, 0U);
  EXPECT_EQ(refusal_of(get(expect + "Expect: wonders\r\n")), 417U);
}

TEST(RequestParser, TakesAsManyFieldsAsTheLimitAndNoneMore) {
  std::string fields;
  while (std::count(fields.begin(), fields.end(), '\n') < static_cast<std::ptrdiff_t>(max_fields) - 1)
    fields += "X: y\r\n";
  EXPECT_EQ(refusal_of(get(fields)), 0U);
  EXPECT_EQ(refusal_of(get(fields + "X: y\r\n")), 431U);
}

TEST(RequestParser, TakesAHeaderOfTheLimit) {
  const auto rest = max_head - get("X: \r\n").size();
  EXPECT_EQ(refusal_of(get("X: " + std::string(rest, 'x') + "\r\n")), 0U);
}

TEST(RequestParser, RefusesARequestLineThatIsNotOne) {
  const auto of_line = [](const std::string& line) { return refusal_of(line + "\r\nHost: h\r\n\r\n"); };
  for (const auto* line :
       {"GET", "GET ", "GET /", "GET HTTP/1.1", "GET  HTTP/1.1", "GET  / HTTP/1.1", "GET /  HTTP/1.1",
        " GET / HTTP/1.1", "GET / HTTP/1.1 ", "GET / a HTTP/1.1", "G(T / HTTP/1.1", "G\xffT / HTTP/1.1",
        "GET / HTTP/1", "GET / HTTP/1.", "GET / HTTP/1.10", "GET / http/1.1", "GET / H", "PRI * HTTP/2.0"})
    EXPECT_EQ(of_line(line), 400U) << line;
  EXPECT_EQ(of_line("GET / HTTP/1.2"), 505U);
  EXPECT_EQ(of_line("GET / HTTP/2.1"), 505U);
}

TEST(RequestParser, RefusesFieldsThatAreNone) {
  for (const auto* field : {"X", ": y", "X : y", "X\t: y", "X Y: z", "(X): y", "X\xff: y", "\"X\": y"})
    EXPECT_EQ(refusal_of(get(field + std::string("\r\n"))), 400U) << field;
}

TEST(RequestParser, RefusesWhatBeastWouldReadInOneOfTwoWays) {
  for (const auto* fields :
       {"Host: h\r\n", "Content-Length: 1\r\nContent-Length: 1\r\n", "Content-Length: 1, 1\r\n",
        "Content-Length: 01\r\n", "Content-Length: 1\r\nTransfer-Encoding: x\r\n", "Transfer-Encoding: x\r\n",
        "Transfer-Encoding:\r\n", "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding: x\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n",
        "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n"})
    EXPECT_EQ(refusal_of(get(fields) + "0\r\n\r\n"), 400U) << fields;
  EXPECT_EQ(refusal_of("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), 400U);
  EXPECT_EQ(refusal_of("GET / HTTP/1.1\r\n\r\n"), 400U);
}

TEST(ChunkedBody, IsReadToItsEndAndNotBeyond) {
  const auto whole =
      chunked("3;a=b;c=\"d;\\\"e\"\r\nabc\r\n0002\r\nde\r\n0;f\r\nX: y\r\nContent-Length: 99\r\n\r\n");
  for (const auto* next : {"", "0\r\n\r\n", "GET / HTTP/1.1\r\n\r\n"}) {
    const auto result = read(whole + next);
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(result.end, whole.size());
    EXPECT_EQ(result.body, "abcde");
  }
}

TEST(ChunkedBody, IsNotCompleteBeforeItsLastByte) {
  const auto whole = chunked("1\r\na\r\n0\r\nX: y\r\n\r\n");
  for (auto size = chunked("").size(); size < whole.size(); ++size) {
    const auto result = read(whole.substr(0, size));
    EXPECT_EQ(result.status, 0U) << size;
    EXPECT_FALSE(result.complete) << size;
  }
}

TEST(ChunkedBody, HoldsAnyBytes) {
  std::string data;
  for (int byte = 0; byte < 0x40; ++byte) data += static_cast<char>(byte);
  EXPECT_EQ(read(chunked("40\r\n" + data + "\r\n0\r\n\r\n")).body, data);
}

TEST(ChunkedBody, DropsItsTrailers) {
  EXPECT_EQ(read(chunked("0\r\nHost: x\r\nAuthorization: y\r\n\r\n")).values, read(chunked("")).values);
}

TEST(ChunkedBody, MayFillTheLimitAndNoByteMore) {
  const std::string half(max_body / 2, 'x');
  EXPECT_EQ(read(chunked("20\r\n" + half + "\r\n20\r\n" + half + "\r\n0\r\n\r\n")).body, half + half);
  EXPECT_EQ(refusal_of(chunked("20\r\n" + half + "\r\n21\r\n")), 413U);
  EXPECT_EQ(refusal_of(chunked("41\r\n")), 413U);
  EXPECT_EQ(refusal_of(chunked("ffffffffffffffff\r\n")), 413U) << "before any of it has come";
}

TEST(ChunkedBody, RefusesExtensionsThatAreNone) {
  for (const auto* extension : {";", ";=b", ";a=", ";a=b c", ";a b", ";a=\"b", ";a=\"b\"c", ";a=\"b\\\"",
                                ";;", ";a;", ";a,b", ";(a)", ";a=b=c"})
    for (const auto* size : {"1", "0"})
      EXPECT_EQ(refusal_of(chunked(size + std::string(extension) + "\r\n")), 400U) << size << extension;
}

TEST(ChunkedBody, RefusesDataThatIsLongerOrShorterThanItsSize) {
  EXPECT_EQ(refusal_of(chunked("1\r\nab")), 400U);
  EXPECT_EQ(refusal_of(chunked("3\r\nab\r\n0\r\n")), 400U);
  EXPECT_EQ(refusal_of(chunked("1\r\na0\r\n\r\n")), 400U);
}

namespace {

const std::vector<std::string> seeds{
    get(""),
    get("Connection: keep-alive, x\r\nUser-Agent: y\r\nAccept: */*\r\n"),
    get("Expect: 100-continue\r\nContent-Length: 3\r\n") + "abc",
    "GET http://b:80?q HTTP/1.0\r\nHost: [::1]:80\r\nConnection: keep-alive\r\n\r\n",
    "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n",
    chunked("3;a=b;c=\"d;\\\"e\"\r\nabc\r\n0002\r\nde\r\n0\r\n\r\n"),
    chunked("A\r\n0123456789\r\n0;x\r\nContent-Length: 99\r\nX: y\r\n\r\n") + get(""),
};

const std::vector<std::string> splinters{"\r\n",
                                         "\r",
                                         "\n",
                                         " ",
                                         "\t",
                                         "\r\n ",
                                         ":",
                                         ";",
                                         "=",
                                         "\"",
                                         "\\",
                                         ",",
                                         "0",
                                         "1",
                                         "f",
                                         "-",
                                         "x",
                                         "\x7f",
                                         "\xff",
                                         "?",
                                         "#",
                                         "%",
                                         "Content-Length: 3\r\n",
                                         "Content-Length: 3, 3\r\n",
                                         "Transfer-Encoding: chunked\r\n",
                                         "Transfer-Encoding: x\r\n",
                                         "Host: b\r\n",
                                         "Connection: close\r\n",
                                         "Expect: x\r\n",
                                         "X: a\r\n b\r\n",
                                         "HTTP/1.0",
                                         "HTTP/1.2",
                                         "http://",
                                         "0\r\n\r\n",
                                         "1\r\na\r\n",
                                         "5 ;a\r\nabcde\r\n",
                                         "5;a=\"b\r\nabcde\r\n",
                                         "0\r\nX\r\n\r\n",
                                         "ffffffffffffffff\r\n"};

class mutator {
public:
  std::string next() {
    std::string bytes = seeds[below(seeds.size())];
    for (auto changes = 1 + below(3); changes > 0; --changes) change(bytes);
    return bytes;
  }
  std::size_t below(std::size_t limit) { return random_() % limit; }

private:
  void change(std::string& bytes) {
    const auto at = below(bytes.size());
    switch (below(4)) {
    case 0:
      bytes[at] = static_cast<char>(below(256));
      break;
    case 1:
      if (bytes.size() > 8) bytes.erase(at, 1 + below(3));
      break;
    default:
      bytes.insert(at, splinters[below(splinters.size())]);
    }
  }

  std::mt19937_64 random_{20240611};
};

} // namespace

TEST(RequestParser, ReadsTheSameHoweverTheBytesAreCut) {
  constexpr int rounds = 20000;
  mutator mutations;
  int accepted = 0;
  int refused = 0;
  for (int round = 0; round < rounds; ++round) {
    const auto bytes = mutations.next();
    const auto whole = read(bytes);
    ASSERT_EQ(reader(bytes, 1).run(), whole) << bytes;
    ASSERT_EQ(reader(bytes, 1 + mutations.below(9)).run(), whole) << bytes;
    accepted += whole.complete ? 1 : 0;
    refused += whole.status != 0 ? 1 : 0;
  }
  // Both ways out were taken often enough to mean something.
  EXPECT_GT(accepted, rounds / 20);
  EXPECT_GT(refused, rounds / 20);
}

} // namespace roost::http::request_parser_test
