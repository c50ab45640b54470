#include "http/protocol/representation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace roost::http::representation_test {

const bytes::encoded_body document("application/json", bytes::shared_body{"identity"},
                                   bytes::shared_body{"gzip"}, "v1");

response get(const std::vector<header_field>& fields, const bytes::encoded_body& body = document) {
  request req;
  req.fields = fields;
  return serve(req, body);
}

std::string body_of(const response& response) { return to_string(response.shared->body()); }

std::string encoding(std::string_view accept) { return body_of(get({{"Accept-Encoding", accept}})); }

unsigned status(std::string_view tags, std::string_view accept = "") {
  return get({{"If-None-Match", tags}, {"accept-encoding", accept}}).status;
}

TEST(Negotiation, ChoosesTheEncodingByWeight) {
  EXPECT_EQ(body_of(get({})), "identity");
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

TEST(Negotiation, TreatsAMalformedWeightAsZero) {
  for (const std::string_view accept :
       {"gzip;q=2", "gzip;q=", "gzip;q=0.1234", "gzip;q=-1", "gzip;q=1.001", "gzip;q=a"})
    EXPECT_EQ(encoding(accept), "identity") << accept;
}

TEST(Negotiation, JoinsRepeatedFields) {
  EXPECT_EQ(body_of(get({{"Accept-Encoding", "br"}, {"Accept-Encoding", "gzip"}})), "gzip");
  EXPECT_EQ(get({{"If-None-Match", "\"a\""}, {"If-None-Match", "\"v1\""}}).status, 304U);
}

TEST(Negotiation, SendsTypeLengthTagAndVary) {
  const auto head = get({{"Accept-Encoding", "gzip"}}).shared->head();
  EXPECT_EQ(head, "Content-Type: application/json\r\nContent-Length: 4\r\nETag: \"v1-gzip\"\r\n"
                  "Vary: Accept-Encoding\r\nContent-Encoding: gzip\r\n\r\n");
  EXPECT_EQ(get({}).shared->head(), "Content-Type: application/json\r\nContent-Length: 8\r\nETag: \"v1\"\r\n"
                                    "Vary: Accept-Encoding\r\n\r\n");
}

TEST(Negotiation, Returns304ForAMatchingTag) {
  EXPECT_EQ(status("\"v1\""), 304U);
  EXPECT_EQ(status("W/\"v1\""), 304U);
  EXPECT_EQ(status("*"), 304U);
  EXPECT_EQ(status("\"a,b\", W/\"c\" ,, \"v1\""), 304U);
  EXPECT_EQ(get({{"If-None-Match", "\"v1\""}}).shared->head(),
            "ETag: \"v1\"\r\nVary: Accept-Encoding\r\n\r\n");
}

TEST(Negotiation, ReturnsTheDocumentForOtherTags) {
  for (const std::string_view tags : {"\"v2\"", "v1", "\"v1", "\"a\" \"b\"", "w/\"v1\"", "\"x*\"", ""})
    EXPECT_EQ(status(tags), 200U) << tags;
}

TEST(Negotiation, HasADifferentTagForEachEncoding) {
  EXPECT_EQ(status("\"v1\"", "gzip"), 200U);
  EXPECT_EQ(status("\"v1-gzip\"", "gzip"), 304U);
  EXPECT_EQ(status("\"v1-gzip\""), 200U);
}

TEST(Negotiation, SupportsDocumentsWithoutACompressedForm) {
  const bytes::encoded_body plain("text/plain", bytes::shared_body{"identity"}, {}, "v1");
  EXPECT_EQ(body_of(get({{"Accept-Encoding", "gzip"}}, plain)), "identity");
}

TEST(Prebuilt, RefusesInvalidFields) {
  EXPECT_THROW(bytes::prebuilt(200, "text/plain", {}, {{"X", "a\r\nY: b"}}), std::invalid_argument);
  EXPECT_THROW(bytes::prebuilt(200, "text/plain", {}, {{"X Y", "a"}}), std::invalid_argument);
}

route help() {
  return document_route("/help", {.content_type = "text/plain",
                                  .text = "How it works",
                                  .gzip = "packed",
                                  .fields = {{"X-Content-Type-Options", "nosniff"}}});
}

response call(const route& route, const std::vector<header_field>& fields = {}) {
  request req;
  req.fields = fields;
  return std::get<immediate_handler>(route.handle)(req);
}

std::string field(const response& response, const std::string& name) {
  const auto head = std::string{response.shared->head()};
  const auto at = head.find(name + ": ");
  if (at == std::string::npos) return "";
  const auto start = at + name.size() + 2;
  return head.substr(start, head.find("\r\n", start) - start);
}

TEST(DocumentRoute, ServesGetWithoutChecksOrDocumentation) {
  const auto route = help();
  EXPECT_EQ(route.method, "GET");
  EXPECT_EQ(route.pattern, "/help");
  EXPECT_TRUE(route.entry.checks.empty());
  EXPECT_EQ(route.documented, nullptr);
}

TEST(DocumentRoute, ReturnsTheRequestedEncoding) {
  const auto route = help();
  EXPECT_EQ(to_string(call(route).shared->body()), "How it works");
  EXPECT_EQ(to_string(call(route, {{"Accept-Encoding", "gzip"}}).shared->body()), "packed");
}

TEST(DocumentRoute, HasATagThatDependsOnTheText) {
  const auto tag_of = [](const char* text) {
    return field(call(document_route("/", {.content_type = "text/plain", .text = text})), "ETag");
  };
  EXPECT_EQ(tag_of("one"), tag_of("one"));
  EXPECT_NE(tag_of("one"), tag_of("two"));
}

TEST(DocumentRoute, Returns304ForACurrentTag) {
  const auto route = help();
  for (const auto* accepted : {"identity", "gzip"}) {
    const auto tag = field(call(route, {{"Accept-Encoding", accepted}}), "ETag");
    const auto again = call(route, {{"Accept-Encoding", accepted}, {"If-None-Match", tag}});
    EXPECT_EQ(again.status, 304U);
    EXPECT_EQ(to_string(again.shared->body()), "");
    EXPECT_EQ(field(again, "ETag"), tag);
  }
}

TEST(DocumentRoute, SendsItsOwnFieldsInEveryResponse) {
  const auto route = help();
  const auto tag = field(call(route), "ETag");
  for (const auto& fields : std::vector<std::vector<header_field>>{
           {}, {{"Accept-Encoding", "gzip"}}, {{"If-None-Match", tag}}, {{"If-None-Match", "*"}}})
    EXPECT_EQ(field(call(route, fields), "X-Content-Type-Options"), "nosniff");
}

TEST(DocumentRoute, MakesADocumentOnceWhenItIsFirstRequested) {
  int made = 0;
  const auto route = document_route("/", [&] {
    ++made;
    return fixed_document{.content_type = "text/plain", .text = "made late"};
  });
  EXPECT_EQ(made, 0);
  EXPECT_EQ(to_string(call(route).shared->body()), "made late");
  EXPECT_EQ(to_string(call(route).shared->body()), "made late");
  EXPECT_EQ(made, 1);
}

TEST(DocumentRoute, MakesADocumentAgainAfterAFailure) {
  int tries = 0;
  const auto route = document_route("/", [&] {
    if (++tries == 1) throw std::runtime_error("out of memory");
    return fixed_document{.content_type = "text/plain", .text = "made late"};
  });
  EXPECT_THROW(call(route), std::runtime_error);
  EXPECT_EQ(to_string(call(route).shared->body()), "made late");
}

} // namespace roost::http::representation_test
