#include "http/protocol/error.hpp"
#include "http/protocol/message.hpp"

#include <gtest/gtest.h>

namespace roost::http::error_test {
TEST(Error, HasTheBodyOfThePartnerApi) {
  const auto response = to_response(unauthorized("Missing integration credentials"));
  EXPECT_EQ(response.status, 401U);
  EXPECT_EQ(response.body, R"({"statusCode":401,"message":"Missing integration credentials",)"
                           R"("error":"UnauthorizedException"})");
  EXPECT_TRUE(response.fields.empty());
}

TEST(Error, AppendsAdditionalFields) {
  auto refusal = unauthorized("No");
  refusal.with("reason", std::string("not_found")).with("left", std::int64_t{3}).with("final", false);
  EXPECT_EQ(to_response(refusal).body, R"({"statusCode":401,"message":"No","error":"UnauthorizedException",)"
                                       R"("reason":"not_found","left":3,"final":false})");
}

TEST(Error, SendsRetryAfter) {
  const auto response = to_response(busy());
  ASSERT_EQ(response.fields.size(), 1U);
  EXPECT_EQ(response.fields[0].first, "Retry-After");
  EXPECT_EQ(response.fields[0].second, "5");
}

TEST(Error, EscapesItsMessage) {
  EXPECT_EQ(to_response(bad_request("a\"\\\n\x01\xff<\xe2\x82\xac>")).body,
            "{\"statusCode\":400,\"message\":\"a\\\"\\\\\\n\\u0001\xef\xbf\xbd<\xe2\x82\xac>\","
            "\"error\":\"BadRequestException\"}");
}

} // namespace roost::http::error_test
