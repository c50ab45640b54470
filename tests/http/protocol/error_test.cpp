#include "http/protocol/error.hpp"
#include "http/protocol/message.hpp"
#include "http/protocol/text_encoding.hpp"

#include <gtest/gtest.h>

namespace roost::http::error_test {
TEST(Error, BecomesTheBodyOfThePartnerApi) {
  const auto answer = to_response(unauthorized("Missing integration credentials"));
  EXPECT_EQ(answer.status, 401U);
  EXPECT_EQ(answer.body, R"({"statusCode":401,"message":"Missing integration credentials",)"
                         R"("error":"UnauthorizedException"})");
  EXPECT_TRUE(answer.fields.empty());
}

TEST(Error, CarriesFurtherFieldsAfterTheThree) {
  auto refusal = unauthorized("No");
  refusal.with("reason", std::string("not_found")).with("left", std::int64_t{3}).with("final", false);
  EXPECT_EQ(to_response(refusal).body, R"({"statusCode":401,"message":"No","error":"UnauthorizedException",)"
                                       R"("reason":"not_found","left":3,"final":false})");
}

TEST(Error, TellsWhenToTryAgain) {
  const auto answer = to_response(busy());
  ASSERT_EQ(answer.fields.size(), 1U);
  EXPECT_EQ(answer.fields[0].first, "Retry-After");
  EXPECT_EQ(answer.fields[0].second, "5");
}

TEST(Error, StaysJsonWhateverItsMessageHolds) {
  EXPECT_EQ(to_response(bad_request("a\"\\\n\x01\xff<\xe2\x82\xac>")).body,
            "{\"statusCode\":400,\"message\":\"a\\\"\\\\\\n\\u0001\xef\xbf\xbd<\xe2\x82\xac>\","
            "\"error\":\"BadRequestException\"}");
}

TEST(Utf8, ReplacesWhatIsNotWellFormed) {
  EXPECT_EQ(to_utf8("\xc0\xaf"), "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(to_utf8("\xe2\x82"), "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(to_utf8("a\xf0\x9f\x8f\xa0\xff"), "a\xf0\x9f\x8f\xa0\xef\xbf\xbd");
  EXPECT_EQ(to_utf8(""), "");
}

} // namespace roost::http::error_test
