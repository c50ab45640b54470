#include "service/support/office.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// The users of an account through the office API.
namespace roost::testing::office_users_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class OfficeUsers : public ::testing::TestWithParam<store_kind> {
protected:
  raw_response create(const std::string& body) { return office.send("POST", users_path, body); }
  raw_response change(const std::string& path, const std::string& body) {
    return office.send("PATCH", path, body, {{"If-Match", "*"}});
  }
  std::string path_of(const raw_response& user) { return users_path + "/" + string_at(user, "/id"); }

  const std::string users_path = "/api/users";
  const std::string own_path = users_path + "/22222222-0000-4000-8000-000000000001";
  office_fixture office{GetParam()};
};
ROOST_ON_EACH_STORE(OfficeUsers);

const std::string bia = R"({"email":"bia@casaverde.example","firstName":"Bia","role":"Viewer"})";

TEST_P(OfficeUsers, AreInvitedByMailAndSignIn) {
  const auto created = create(bia);
  ASSERT_EQ(created.status, 201U) << created.body;
  EXPECT_EQ(json_at(created.body, "/aiAccess"), "true");
  EXPECT_THAT(created.body, Not(HasSubstr("assword")));
  const auto link = mailed_link(office.place);
  auto browser = office.browser();
  ASSERT_EQ(
      browser.post("/auth/reset-password", R"({"token":")" + link + R"(","password":"bia-only"})").status,
      200U);
  EXPECT_EQ(browser.post("/auth/login", login_json("bia@casaverde.example", "bia-only")).status, 201U);
  EXPECT_THAT(office.place.run_or_throw({"audit", "list"}),
              AllOf(HasSubstr("user creation"), HasSubstr("bia@casaverde.example"), Not(HasSubstr(link))));
}

TEST_P(OfficeUsers, AreInvitedOnceIfTheRequestIsRepeated) {
  const std::string body = R"({"id":"77777777-0000-4000-8000-000000000001",)" + bia.substr(1);
  ASSERT_EQ(create(body).status, 201U);
  EXPECT_EQ(create(body).status, 200U);
  EXPECT_EQ(create(R"({"id":"77777777-0000-4000-8000-000000000001","email":"eva@casaverde.example",)"
                   R"("role":"Viewer"})")
                .status,
            409U);
  EXPECT_EQ(store_rows(office.place.store().open(), "select count(*) from password_resets", 1),
            std::vector<std::string>{"1"});
}

TEST_P(OfficeUsers, AreInvitedAgainAtAnotherAddressUntilTheyHaveAPassword) {
  const auto created = create(bia);
  const auto first = mailed_link(office.place);
  ASSERT_EQ(change(path_of(created), R"({"email":"bia.k@casaverde.example"})").status, 200U);
  std::string link;
  ASSERT_TRUE(eventually([&] { return (link = mailed_link(office.place)) != first; }));
  auto browser = office.browser();
  EXPECT_EQ(
      browser.post("/auth/reset-password", R"({"token":")" + first + R"(","password":"bia-only"})").status,
      401U)
      << "the former address may belong to another person";
  EXPECT_EQ(
      browser.post("/auth/reset-password", R"({"token":")" + link + R"(","password":"bia-only"})").status,
      200U);
  ASSERT_EQ(change(path_of(created), R"({"email":"bia@casaverde.example","role":"Manager"})").status, 200U);
  EXPECT_EQ(store_rows(office.place.store().open(), "select count(*) from password_resets", 1),
            std::vector<std::string>{"2"})
      << "she has a password";
}

TEST_P(OfficeUsers, AreListedAndFoundByName) {
  create(bia);
  const auto listed = office.send("GET", users_path);
  EXPECT_EQ(json_at(listed.body, "/total"), "2");
  EXPECT_EQ(string_at(listed, "/items/1/email"), "bia@casaverde.example");
  EXPECT_EQ(
      json_at(office.send("GET", users_path + "?q=robledo&role=Admin&deactivated=false").body, "/total"),
      "1");
  const auto table = office.send("GET", users_path, "", {{"Accept", "text/csv"}});
  EXPECT_THAT(table.body, AllOf(HasSubstr("id,email,role,ownerId,firstName"), HasSubstr("bia@casaverde")));
  EXPECT_THAT(table.body, Not(HasSubstr("argon2")));
}

TEST_P(OfficeUsers, LoseTheirSessionAtOnceWhenTheyAreDeactivatedOrDeleted) {
  const auto created = create(R"({"email":"eva@casaverde.example","role":"Admin"})");
  auto eva = office.browser();
  ASSERT_EQ(eva.post("/auth/reset-password",
                     R"({"token":")" + mailed_link(office.place) + R"(","password":"eva-only"})")
                .status,
            200U);
  const auto challenge = eva.post("/auth/login", login_json("eva@casaverde.example", "eva-only"));
  const auto signed_in = eva.post(
      "/auth/verify-otp", code_json(string_at(challenge, "/challengeToken"), mailed_code(office.place, 2)));
  ASSERT_EQ(signed_in.status, 200U) << signed_in.body;
  const auto token = string_at(signed_in, "/token");
  EXPECT_EQ(eva.get(users_path, token).status, 200U);
  ASSERT_EQ(change(path_of(created), R"({"deactivated":true})").status, 200U);
  EXPECT_EQ(eva.get(users_path, token).status, 403U);
  EXPECT_EQ(eva.post("/auth/refresh").status, 401U);
  ASSERT_EQ(change(path_of(created), R"({"deactivated":false})").status, 200U);
  EXPECT_EQ(eva.get(users_path, token).status, 401U) << "old tokens stay invalid";
  ASSERT_EQ(office.send("DELETE", path_of(created), "", {{"If-Match", "*"}}).status, 204U);
  EXPECT_EQ(office.send("GET", path_of(created)).status, 404U);
  EXPECT_EQ(eva.post("/auth/login", login_json("eva@casaverde.example", "eva-only")).status, 401U);
}

TEST_P(OfficeUsers, AreCheckedLikeThoseOfPortfolioFiles) {
  const auto refused = create(R"({"email":"bia","role":"King","password":"secret-1"})");
  EXPECT_EQ(refused.status, 400U);
  EXPECT_THAT(refused.body,
              AllOf(HasSubstr("email"), HasSubstr("role is not a configured role"), HasSubstr("password")));
  EXPECT_EQ(create(R"({"email":"bia@casaverde.example","role":"Viewer",)"
                   R"("ownerId":"99999999-0000-4000-8000-000000000001"})")
                .status,
            400U);
  const auto owner = create(R"({"email":"own@casaverde.example","role":"Owner",)"
                            R"("ownerId":"99999999-0000-4000-8000-000000000001"})");
  ASSERT_EQ(owner.status, 201U) << owner.body;
  EXPECT_EQ(change(path_of(owner), R"({"role":"Viewer"})").status, 400U) << "the owner stays";
  EXPECT_EQ(change(path_of(owner), R"({"ownerId":"99999999-0000-4000-8000-000000000002"})").status, 200U);
  EXPECT_EQ(change(path_of(owner), R"({"role":"Viewer","ownerId":null})").status, 200U);
  const auto taken = create(R"({"email":"ANA@casaverde.example","role":"Viewer"})");
  EXPECT_EQ(taken.status, 409U);
  EXPECT_EQ(string_at(taken, "/message"), "email is already used by another user");
}

TEST_P(OfficeUsers, ChangeInTheStateThatTheClientHasRead) {
  const auto created = create(bia);
  const auto tag = created.headers.find("etag")->second;
  auto browser = office.browser();
  ASSERT_EQ(browser
                .post("/auth/reset-password",
                      R"({"token":")" + mailed_link(office.place) + R"(","password":"bia-only"})")
                .status,
            200U);
  EXPECT_EQ(office.send("PATCH", path_of(created), R"({"lastName":"K"})").status, 428U);
  ASSERT_EQ(office.send("PATCH", path_of(created), R"({"lastName":"K"})", {{"If-Match", tag}}).status, 200U)
      << "the password is not part of the state";
  const auto outdated = office.send("DELETE", path_of(created), "", {{"If-Match", tag}});
  EXPECT_EQ(outdated.status, 412U);
  EXPECT_EQ(json_at(outdated.body, "/changed"), R"(["lastName"])");
  EXPECT_EQ(json_at(outdated.body, "/changedBy"), R"("ana@casaverde.example")");
  ASSERT_EQ(office.send("DELETE", path_of(created), "", {{"If-Match", "*"}}).status, 204U);
  EXPECT_THAT(office.send("GET", "/api/audit?q=deletion").body, HasSubstr("bia@casaverde.example"))
      << "whose access it was";
}

TEST_P(OfficeUsers, OfTheRoleOwnerSeeNoAccountAndWithoutAnOwnerNoProperty) {
  office_fixture owners(GetParam(), {{"roles.Owner", R"(["*"])"}},
                        {{account_pointer + "/users/0/role", R"("Owner")"}});
  for (const auto* path :
       {"/api/users", "/api/account", "/api/audit", "/api/api-keys", "/api/engine-keys", "/api/platforms"})
    EXPECT_EQ(owners.send("GET", path).status, 403U) << path;
  EXPECT_EQ(json_at(owners.send("GET", "/api/properties").body, "/total"), "0");
  EXPECT_EQ(json_at(owners.send("GET", "/api/units").body, "/total"), "0");
}

TEST_P(OfficeUsers, GrantNoPermissionThatTheyLack) {
  EXPECT_EQ(create(R"({"email":"eva@casaverde.example","role":"Super Admin"})").status, 403U)
      << "Ana is an Admin";
  const auto agent = create(bia);
  EXPECT_EQ(change(path_of(agent), R"({"role":"Super Admin"})").status, 403U);
  EXPECT_EQ(change(own_path, R"({"role":"Super Admin"})").status, 403U);
  EXPECT_EQ(change(path_of(agent), R"({"role":"Manager","email":"b@casaverde.example"})").status, 200U);
}

TEST_P(OfficeUsers, DoNotTakeOverMorePowerfulOnes) {
  office.place.import(portfolio_of(
      1,
      {{account_pointer + "/users/1",
        R"({"id":"22222222-0000-4000-8000-000000000002","email":"top@casaverde.example","role":"Super Admin"})"}}));
  const auto top = users_path + "/22222222-0000-4000-8000-000000000002";
  for (const std::string body :
       {R"({"email":"mine@casaverde.example"})", R"({"deactivated":true})", R"({"role":"Viewer"})"})
    EXPECT_EQ(change(top, body).status, 403U) << body;
  EXPECT_EQ(office.send("DELETE", top, "", {{"If-Match", "*"}}).status, 403U);
  EXPECT_EQ(change(top, R"({"lastName":"Top"})").status, 200U);
}

TEST_P(OfficeUsers, KeepTheLastOneWhoManagesThem) {
  const auto refused = office.send("DELETE", own_path, "", {{"If-Match", "*"}});
  EXPECT_EQ(refused.status, 409U);
  EXPECT_EQ(string_at(refused, "/message"),
            "This is the last active user who can manage users. Give another user such a role first");
  EXPECT_EQ(change(own_path, R"({"role":"Viewer"})").status, 409U);
  create(R"({"email":"eva@casaverde.example","role":"Admin"})");
  EXPECT_EQ(change(own_path, R"({"role":"Viewer"})").status, 200U);
  EXPECT_EQ(office.send("GET", users_path).status, 401U) << "a new role signs out";
}

} // namespace roost::testing::office_users_test
