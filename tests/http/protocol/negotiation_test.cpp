#include "http/protocol/message.hpp"
#include "http/protocol/representation.hpp"

#include <gtest/gtest.h>

namespace roost::http::negotiation_test {
const bytes::encoded_body document("application/json", bytes::shared_body{"identity"},
                                   bytes::shared_body{"gzip"}, "v1");

response ask(const std::vector<header_field>& fields, const bytes::encoded_body& of = document) {
  request req;
  req.fields = fields;
  return serve(req, of);
}

std::string body_of(const response& answer) { return to_string(answer.shared->body()); }

std::string encoding(std::string_view accept) { return body_of(ask({{"Accept-Encoding", accept}})); }

unsigned status(std::string_view tags, std::string_view accept = "") {
  return ask({{"If-None-Match", tags}, {"accept-encoding", accept}}).status;
}

TEST(Negotiation, ChoosesTheEncodingByWeight) {
  EXPECT_EQ(body_of(ask({})), "identity");
  EXPECT_EQ(encoding("gzip"), "gzip");
  EXPECT_EQ(encoding("GZIP"), "gzip");
  EXPECT_EQ(encoding("br, gzip;q=0.5, deflate"), "gzip");
  EXPECT_EQ(encoding("*"), "gzip");
  EXPECT_EQ(encoding("*;q=0.001"), "gzip");
  EXPECT_EQ(encoding(""), "identity");
  EXPECT_EQ(encoding("identity"), "identity");
  EXPECT_EQ(encoding("gzip;q=0"), "identity");
  EXPECT_EQ(encoding("gzip;q=0.000, *"), "identity");
  EXPECT_EQ(encoding("*;q=0"), "identity");
  EXPECT_EQ(encoding("gzip;q=0.5, identity;q=0.6"), "identity");
  EXPECT_EQ(encoding("gzip;q=0.6 , identity ; q=0.5"), "gzip");
  EXPECT_EQ(encoding("gzipped, xgzip"), "identity");
}

TEST(Negotiation, TakesAMalformedWeightForNoWish) {
  for (const std::string_view accept :
       {"gzip;q=2", "gzip;q=", "gzip;q=0.1234", "gzip;q=-1", "gzip;q=1.001", "gzip;q=a"})
    EXPECT_EQ(encoding(accept), "identity") << accept;
}

TEST(Negotiation, JoinsRepeatedFields) {
  EXPECT_EQ(body_of(ask({{"Accept-Encoding", "br"}, {"Accept-Encoding", "gzip"}})), "gzip");
  EXPECT_EQ(ask({{"If-None-Match", "\"a\""}, {"If-None-Match", "\"v1\""}}).status, 304U);
}

TEST(Negotiation, SaysWhatItIsAndThatItVaries) {
  const auto head = ask({{"Accept-Encoding", "gzip"}}).shared->head();
  EXPECT_EQ(head, "Content-Type: application/json\r\nContent-Length: 4\r\nETag: \"v1-gzip\"\r\n"
                  "Vary: Accept-Encoding\r\nContent-Encoding: gzip\r\n\r\n");
  EXPECT_EQ(ask({}).shared->head(), "Content-Type: application/json\r\nContent-Length: 8\r\nETag: \"v1\"\r\n"
                                    "Vary: Accept-Encoding\r\n\r\n");
}

TEST(Negotiation, IsNotSentToWhoHasIt) {
  EXPECT_EQ(status("\"v1\""), 304U);
  EXPECT_EQ(status("W/\"v1\""), 304U);
  EXPECT_EQ(status("*"), 304U);
  EXPECT_EQ(status("\"a,b\", W/\"c\" ,, \"v1\""), 304U);
  EXPECT_EQ(ask({{"If-None-Match", "\"v1\""}}).shared->head(),
            "ETag: \"v1\"\r\nVary: Accept-Encoding\r\n\r\n");
}

TEST(Negotiation, IsSentToWhoHasAnother) {
  for (const std::string_view tags : {"\"v2\"", "v1", "\"v1", "\"a\" \"b\"", "w/\"v1\"", "\"x*\"", ""})
    EXPECT_EQ(status(tags), 200U) << tags;
}

TEST(Negotiation, HasATagOfItsOwnInEachEncoding) {
  EXPECT_EQ(status("\"v1\"", "gzip"), 200U);
  EXPECT_EQ(status("\"v1-gzip\"", "gzip"), 304U);
  EXPECT_EQ(status("\"v1-gzip\""), 200U);
}

TEST(Negotiation, NeedNotHaveACompressedForm) {
  const bytes::encoded_body plain("text/plain", bytes::shared_body{"identity"}, {}, "v1");
  EXPECT_EQ(body_of(ask({{"Accept-Encoding", "gzip"}}, plain)), "identity");
}

TEST(Prebuilt, RefusesFieldsThatWouldBreakTheHeader) {
  EXPECT_THROW(bytes::prebuilt(200, "text/plain", {}, {{"X", "a\r\nY: b"}}), std::invalid_argument);
  EXPECT_THROW(bytes::prebuilt(200, "text/plain", {}, {{"X Y", "a"}}), std::invalid_argument);
}

} // namespace roost::http::negotiation_test
