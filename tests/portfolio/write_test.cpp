#include "portfolio/account.hpp"
#include "portfolio/document.hpp"
#include "portfolio/write.hpp"
#include "support/random_portfolio.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <set>

namespace roost::portfolio::write_test {
using ::testing::HasSubstr;
using ::testing::Not;

/// Returns a context that recognizes password hashes.
context hashing_context() {
  auto result = usual_context();
  result.is_password_hash = [](std::string_view text) { return text.starts_with("$argon2id$"); };
  return result;
}

domain::portfolio read(std::string_view document, const context& context = hashing_context()) {
  auto result = parse(document, context);
  if (const auto* problems = std::get_if<std::vector<problem>>(&result))
    throw std::logic_error(to_string(problems->front()));
  return std::get<domain::portfolio>(std::move(result));
}

/// Collects the members of all objects by their paths from the root.
void collect(const rapidjson::Value& value, const std::string& path, std::set<std::string>& members) {
  if (value.IsArray())
    for (const auto& each : value.GetArray()) collect(each, path, members);
  if (!value.IsObject()) return;
  for (const auto& [name, content] : value.GetObject()) {
    const auto member = path.empty() ? name.GetString() : path + '/' + name.GetString();
    members.insert(member);
    collect(content, member, members);
  }
}

std::set<std::string> members_in(const std::string& document) {
  rapidjson::Document tree;
  tree.Parse(document.data(), document.size());
  std::set<std::string> members;
  collect(tree, "", members);
  return members;
}

/// Collects the members of described objects, by their names from the root on.
void collect(const json::schema& object, const std::string& place, std::set<std::string>& to) {
  for (const auto& member : object.members) {
    const auto here = place + '/' + std::string(member.member);
    to.insert(here);
    collect(member, here, to);
    for (const auto& elements : member.items) collect(elements, here, to);
  }
}

/// Returns documents that together have every member.
std::vector<std::string> full_documents() {
  const auto user = account + "/users/0";
  return {edited(whole_document, {{user + "/password", ""},
                                  {user + "/passwordHash", R"("$argon2id$hash")"},
                                  {user + "/role", R"("Owner")"},
                                  {user + "/ownerId", R"("0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0007")"},
                                  {unit + "/adminFee/enabled", "false"},
                                  {unit + "/rent", R"({"fixed":false,"perMonth":[{"month":2,"rent":1.5}]})"},
                                  {unit + "/images/0/placeholder", "true"}}),
          edited(whole_document, {{user + "/password", "null"}, {unit + "/adminFee", R"({"value":99.5})"}})};
}

TEST(WrittenFile, HasEveryMemberThatIsRead) {
  const auto documents = full_documents();
  std::set<std::string> written_members;
  for (const auto& document : documents)
    written_members.merge(members_in(written(read(document), password_hashes::written)));
  std::set<std::string> known;
  collect(json::schema_of(objects::account_object), "accounts", known);
  // A password is never written, and the others are redundant.
  for (const auto* member :
       {"users/password", "aiUsage/accountId", "aiUsage/totalTokens", "aiUsage/currency"})
    EXPECT_EQ(known.erase("accounts/" + std::string(member)), 1U) << member;
  for (const auto& member : known) EXPECT_TRUE(written_members.contains(member)) << member << " is missing";
}

TEST(WrittenFile, RoundTrips) {
  for (const auto& document : full_documents()) {
    const auto file = read(document);
    EXPECT_EQ(read(written(file, password_hashes::written)), file);
  }
  const auto minimal = read(minimal_document);
  EXPECT_EQ(read(written(minimal)), minimal);
  EXPECT_EQ(read(written({})), domain::portfolio{});
}

TEST(WrittenFile, RoundTripsForRandomPortfolios) {
  domain::for_random_cases(300, [](std::mt19937& random) {
    const auto file = testing::random_portfolio(random).file(2);
    const auto text = written(file, password_hashes::written);
    const auto parsed_again = read(text);
    EXPECT_EQ(parsed_again, file);
    EXPECT_EQ(written(parsed_again, password_hashes::written), text);
  });
}

TEST(WrittenFile, RoundTripsForTheDemonstration) {
  auto file = read(demo_document(), demo_context());
  for (auto& account : file.accounts)
    for (auto& user : account.users) {
      user.password.reset(); // never written
      user.keeps_password = true;
    }
  EXPECT_EQ(read(written(file), demo_context()), file);
}

TEST(WrittenFile, OmitsDefaults) {
  EXPECT_EQ(written(read(minimal_document)), R"({
  "format": "roost-portfolio/1",
  "accounts": [
    {
      "id": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001",
      "companyName": "Casa Verde Rentals",
      "currency": "EUR",
      "landlordKey": "casa-verde",
      "platformCards": [
        {"platform": "marketplace-a"}
      ],
      "users": [
        {
          "id": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0002",
          "email": "ana@casaverde.example",
          "role": "Admin"
        }
      ],
      "properties": [
        {
          "id": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0003",
          "internalName": "Calle Mayor 12",
          "units": [
            {
              "id": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0004",
              "internalName": "CM12 Room 1"
            }
          ]
        }
      ]
    }
  ]
}
)");
}

TEST(WrittenFile, ContainsPasswordHashesOnlyOnRequest) {
  const auto file = read(full_documents()[0]);
  EXPECT_THAT(written(file), Not(HasSubstr("password\"")));
  EXPECT_THAT(written(file), Not(HasSubstr("passwordHash")));
  EXPECT_THAT(written(file, password_hashes::written), HasSubstr(R"("passwordHash": "$argon2id$hash")"));
}

TEST(WrittenFile, AcceptsUsageRecordsInParts) {
  auto file = read(whole_document);
  auto& account = file.accounts[0];
  account.ai_usage.push_back(account.ai_usage[0]);
  account.ai_usage[1].source = "second";
  const auto records = account.ai_usage;
  const auto whole = written(file);
  account.ai_usage.clear();
  std::string text;
  file_writer writer([&](std::string_view piece) { text += piece; }, password_hashes::left_out);
  writer.begin_account(account);
  for (const auto& record : records) writer.add_usage({&record, 1});
  writer.end_account();
  writer.finish();
  EXPECT_EQ(text, whole);
}

TEST(PasswordHash, ReplacesAPassword) {
  const auto user = account + "/users/0";
  const auto problems = [&](const std::vector<edit>& edits) {
    std::vector<std::string> lines;
    const auto result = parse(edited(minimal_document, edits), hashing_context());
    if (const auto* problems = std::get_if<std::vector<problem>>(&result))
      for (const auto& each : *problems) lines.push_back(to_string(each));
    return lines;
  };
  const std::vector<std::string> none;
  EXPECT_EQ(problems({{user + "/passwordHash", R"("$argon2id$x")"}}), none);
  EXPECT_EQ(problems({{user + "/passwordHash", "null"}}), none);
  const std::vector<std::string> no_hash{user +
                                         "/passwordHash: must be an argon2id hash as an export writes it"};
  EXPECT_EQ(problems({{user + "/passwordHash", R"("secret")"}}), no_hash);
  EXPECT_EQ(problems({{user + "/passwordHash", "1"}}), no_hash);
  const std::vector<std::string> both{user + "/passwordHash: must be left out if there is a password"};
  EXPECT_EQ(problems({{user + "/passwordHash", "null"}, {user + "/password", "null"}}), both);
}

TEST(Password, IsKeptWhenTheFileOmitsIt) {
  const auto user = account + "/users/0";
  const auto keeps = [&](const std::vector<edit>& edits) {
    return read(edited(minimal_document, edits)).accounts[0].users[0].keeps_password;
  };
  EXPECT_TRUE(keeps({}));
  EXPECT_FALSE(keeps({{user + "/password", "null"}}));
  EXPECT_FALSE(keeps({{user + "/password", R"("secret")"}}));
  EXPECT_FALSE(keeps({{user + "/passwordHash", "null"}}));
}

TEST(Language, IsEnglishUnlessTheFileHasAnotherOne) {
  const auto user = account + "/users/0";
  const auto language = [&](const std::vector<edit>& edits) {
    const auto file = read(edited(minimal_document, edits));
    EXPECT_EQ(read(written(file)), file);
    return file.accounts[0].users[0].details.language;
  };
  EXPECT_EQ(language({}), domain::language::en);
  EXPECT_EQ(language({{user + "/language", R"("en")"}}), domain::language::en);
  EXPECT_EQ(language({{user + "/language", R"("es")"}}), domain::language::es);
  const auto result = parse(edited(minimal_document, {{user + "/language", R"("fr")"}}), hashing_context());
  const auto* problems = std::get_if<std::vector<problem>>(&result);
  ASSERT_NE(problems, nullptr);
  EXPECT_EQ(to_string(problems->front()), user + "/language: must be one of en, es");
}

} // namespace roost::portfolio::write_test
