#include "http/management/auth_bodies.hpp"
#include "http/support/refusal.hpp"

#include <gtest/gtest.h>

namespace roost::http::auth_bodies_test {

using testing::refusal_of;

template <typename Parse>
auto parsed(Parse parse, std::string body) {
  return parse(body);
}

TEST(LoginBodies, HaveAnAddressAndAPassword) {
  const auto login = parsed(parse_login, R"({"email":"Ana@casaverde.example","password":"ana-ñ1"})");
  EXPECT_EQ(login.email, "Ana@casaverde.example");
  EXPECT_EQ(login.password, "ana-ñ1");
}

TEST(LoginBodies, ComposeTheAddress) {
  const auto login =
      parsed(parse_login, R"({"email":"Ren\u0065\u0301@casaverde.example","password":" ana-1 "})");
  EXPECT_EQ(login.email, "Ren\u00e9@casaverde.example");
  EXPECT_EQ(login.password, " ana-1 ");
  EXPECT_EQ(refusal_of(parse_login, R"({"email":"ana@casaverde.example ","password":"ana-only"})"),
            "email must be an email");
}

TEST(LoginBodies, ReportAllErrors) {
  EXPECT_EQ(refusal_of(parse_login, "{}"),
            "email must be an email, password must be longer than or equal to 6 characters, "
            "password must be a string");
  EXPECT_EQ(refusal_of(parse_login, R"({"email":"ana","password":"12345"})"),
            "email must be an email, password must be longer than or equal to 6 characters");
  EXPECT_EQ(refusal_of(parse_login, R"({"email":7,"password":1234567})"),
            "email must be an email, password must be longer than or equal to 6 characters, "
            "password must be a string");
}

TEST(LoginBodies, CountCharactersAndNotBytes) {
  EXPECT_EQ(refusal_of(parse_login, R"({"email":"a@b.example","password":"ñññññ"})"),
            "password must be longer than or equal to 6 characters");
  EXPECT_EQ(refusal_of(parse_login, R"({"email":"a@b.example","password":"ññññññ"})"), "");
}

TEST(LoginBodies, RefuseOtherMembersAndTypes) {
  for (const auto* body : {"", "[]", "null", "7", "{", "\"text\""})
    EXPECT_NE(refusal_of(parse_login, body), "") << body;
  EXPECT_EQ(refusal_of(parse_login, R"({"email":"a@b.example","password":"ana-only","admin":true})"),
            "property admin should not exist");
}

TEST(CodeBodies, HaveAChallengeACodeAndAnOptionalFlag) {
  const auto verify = parsed(parse_verify_otp, R"({"challengeToken":"t","otp":"012345"})");
  EXPECT_EQ(verify.challenge_token, "t");
  EXPECT_EQ(verify.otp, "012345");
  EXPECT_FALSE(verify.remember_device);
  EXPECT_TRUE(parsed(parse_verify_otp, R"({"challengeToken":"t","otp":"012345","rememberDevice":true})")
                  .remember_device);
}

TEST(CodeBodies, HaveSixDigits) {
  const auto refusal = [](const std::string& otp) {
    return refusal_of(parse_verify_otp, R"({"challengeToken":"t","otp":)" + otp + "}");
  };
  EXPECT_EQ(refusal(R"("000000")"), "");
  EXPECT_EQ(refusal(R"("12345")"), "otp must be longer than or equal to 6 characters");
  EXPECT_EQ(refusal(R"("1234567")"), "otp must be shorter than or equal to 6 characters");
  EXPECT_EQ(refusal(R"("12345a")"), "otp must contain digits only");
  EXPECT_EQ(refusal(R"("")"),
            "otp must contain digits only, otp must be longer than or equal to 6 characters");
  EXPECT_EQ(
      refusal("123456"),
      "otp must contain digits only, otp must be longer than or equal to 6 and shorter than or equal to 6 "
      "characters, otp must be a string");
}

TEST(CodeBodies, ReportAllErrors) {
  EXPECT_EQ(
      refusal_of(parse_verify_otp, R"({"rememberDevice":"yes"})"),
      "challengeToken must be a string, otp must contain digits only, otp must be longer than or equal to 6 "
      "characters, otp must be a string, rememberDevice must be a boolean value");
}

TEST(ResendBodies, HaveAChallenge) {
  EXPECT_EQ(parsed(parse_resend_otp, R"({"challengeToken":"t"})"), "t");
  EXPECT_EQ(refusal_of(parse_resend_otp, "{}"), "challengeToken must be a string");
  EXPECT_EQ(refusal_of(parse_resend_otp, R"({"challengeToken":7})"), "challengeToken must be a string");
}

TEST(IdentityBodies, HaveAToken) {
  EXPECT_EQ(parsed(parse_identity_token, R"({"idToken":"a.b.c"})"), "a.b.c");
  EXPECT_EQ(refusal_of(parse_identity_token, R"({"token":"a.b.c"})"),
            "property token should not exist, idToken must be a string");
}

TEST(PasswordBodies, HaveTheOldAndTheNewOne) {
  const auto change = parsed(parse_password_change, R"({"oldPassword":"old","newPassword":"ana-new"})");
  EXPECT_EQ(change.old_password, "old"); // of any length: it may be older than the rule
  EXPECT_EQ(change.new_password, "ana-new");
  EXPECT_EQ(refusal_of(parse_password_change, R"({"newPassword":"short"})"),
            "oldPassword must be a string, newPassword must be longer than or equal to 6 characters");
}

TEST(ForgottenPasswordBodies, HaveAnAddress) {
  EXPECT_EQ(parsed(parse_forgot_password, R"({"email":"ana@casaverde.example"})"), "ana@casaverde.example");
  EXPECT_EQ(refusal_of(parse_forgot_password, R"({"email":"ana@"})"), "email must be an email");
  EXPECT_EQ(refusal_of(parse_forgot_password, "{}"), "email must be an email");
}

TEST(ResetBodies, HaveALinksTokenAndAPassword) {
  const auto reset = parsed(parse_password_reset, R"({"token":"t","password":"ana-new"})");
  EXPECT_EQ(reset.token, "t");
  EXPECT_EQ(reset.password, "ana-new");
  EXPECT_EQ(refusal_of(parse_password_reset, R"({"password":7})"),
            "token must be a string, password must be longer than or equal to 6 characters, password must be "
            "a string");
}

TEST(PasswordBodies, EndConnectionsOnRequest) {
  const auto change = [](const std::string& more) {
    return parsed(parse_password_change, R"({"oldPassword":"old","newPassword":"ana-new")" + more + "}");
  };
  EXPECT_FALSE(change("").end_connections);
  EXPECT_FALSE(change(R"(,"endConnections":null)").end_connections);
  EXPECT_TRUE(change(R"(,"endConnections":true)").end_connections);
  EXPECT_EQ(refusal_of(parse_password_change,
                       R"({"oldPassword":"old","newPassword":"ana-new","endConnections":"yes"})"),
            "endConnections must be a boolean value");
}

TEST(ResetBodies, EndConnectionsByDefault) {
  const auto reset = [](const std::string& more) {
    return parsed(parse_password_reset, R"({"token":"t","password":"ana-new")" + more + "}");
  };
  EXPECT_TRUE(reset("").end_connections);
  EXPECT_TRUE(reset(R"(,"endConnections":null)").end_connections);
  EXPECT_FALSE(reset(R"(,"endConnections":false)").end_connections);
}

TEST(NewPasswords, AreNoneOfTheMostCommonOnes) {
  EXPECT_EQ(refusal_of(parse_password_change, R"({"oldPassword":"old","newPassword":"Password1"})"),
            "newPassword must not be one of the most common passwords");
  EXPECT_EQ(refusal_of(parse_password_reset, R"({"token":"t","password":"qwerty123"})"),
            "password must not be one of the most common passwords");
  EXPECT_EQ(refusal_of(parse_login, R"({"email":"a@b.example","password":"qwerty123"})"), "")
      << "an old password still signs in";
}

} // namespace roost::http::auth_bodies_test
