#include "http/protocol/representation.hpp"

#include <gtest/gtest.h>

namespace roost::http::document_route_test {
route help() {
  return document_route("/help", {.content_type = "text/plain",
                                  .text = "How it works",
                                  .gzip = "packed",
                                  .fields = {{"X-Content-Type-Options", "nosniff"}}});
}

response ask(const route& of, const std::vector<header_field>& fields = {}) {
  request req;
  req.fields = fields;
  return std::get<immediate_handler>(of.handle)(req);
}

std::string field(const response& of, const std::string& name) {
  const auto head = std::string{of.shared->head()};
  const auto at = head.find(name + ": ");
  if (at == std::string::npos) return "";
  const auto from = at + name.size() + 2;
  return head.substr(from, head.find("\r\n", from) - from);
}

TEST(DocumentRoute, AnswersGetForEverybodyAndIsInNoOpenApiDocument) {
  const auto route = help();
  EXPECT_EQ(route.method, "GET");
  EXPECT_EQ(route.pattern, "/help");
  EXPECT_TRUE(route.entry.checks.empty());
  EXPECT_EQ(route.documented, nullptr);
}

TEST(DocumentRoute, GivesTheFormThatIsAskedFor) {
  const auto route = help();
  EXPECT_EQ(to_string(ask(route).shared->body()), "How it works");
  EXPECT_EQ(to_string(ask(route, {{"Accept-Encoding", "gzip"}}).shared->body()), "packed");
}

TEST(DocumentRoute, HasTheSameTagForTheSameTextOnly) {
  const auto tag_of = [](const char* text) {
    return field(ask(document_route("/", {.content_type = "text/plain", .text = text})), "ETag");
  };
  EXPECT_EQ(tag_of("one"), tag_of("one"));
  EXPECT_NE(tag_of("one"), tag_of("two"));
}

TEST(DocumentRoute, TellsWhoHasItThatNothingChanged) {
  const auto route = help();
  for (const auto* accepted : {"identity", "gzip"}) {
    const auto tag = field(ask(route, {{"Accept-Encoding", accepted}}), "ETag");
    const auto again = ask(route, {{"Accept-Encoding", accepted}, {"If-None-Match", tag}});
    EXPECT_EQ(again.status, 304U);
    EXPECT_EQ(to_string(again.shared->body()), "");
    EXPECT_EQ(field(again, "ETag"), tag);
  }
}

TEST(DocumentRoute, HasItsOwnFieldsInEveryAnswer) {
  const auto route = help();
  const auto tag = field(ask(route), "ETag");
  for (const auto& fields : std::vector<std::vector<header_field>>{
           {}, {{"Accept-Encoding", "gzip"}}, {{"If-None-Match", tag}}, {{"If-None-Match", "*"}}})
    EXPECT_EQ(field(ask(route, fields), "X-Content-Type-Options"), "nosniff");
}

} // namespace roost::http::document_route_test
