#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// A store with the wrong secrets file: a copied folder, a wrong --config, a lost file.
namespace roost::testing::signing_keys_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using words = std::vector<std::string>;

const words issue{"token", "issue", "--platform", "marketplace-a"};

class OtherSecrets : public on_each_store {
protected:
  void SetUp() override {
    place_.emplace(GetParam());
    place_->import(portfolio_of(1));
    token_ = place_->issue_token("marketplace-a");
  }

  void configure_secrets(const std::string& file) { place_->set("secrets.file", '"' + file + '"'); }

  /// Configures the secrets file of another server.
  void configure_other_secrets() {
    const workplace other(store_kind::sqlite);
    other.issue_token("marketplace-a");
    const auto file = place_->folder() / "other.toml";
    std::filesystem::copy_file(other.folder() / "secrets.toml", file);
    configure_secrets(file.string());
  }

  std::optional<workplace> place_;
  std::string token_;
};
ROOST_ON_EACH_STORE(OtherSecrets);

TEST_P(OtherSecrets, AreRefusedByEveryCommand) {
  configure_other_secrets();
  for (const words& command :
       std::vector<words>{issue, {"booking", "list"}, {"secrets", "rotate"}, {"migrate"}}) {
    const auto result = place_->run(command);
    EXPECT_EQ(result.status, 1) << command[0];
    EXPECT_THAT(result.errors, AllOf(HasSubstr("secrets.file holds other signing keys"),
                                     HasSubstr("`roost secrets adopt`")));
  }
}

TEST_P(OtherSecrets, AreNotCreatedForAMissingFile) {
  const auto missing = place_->folder() / "elsewhere/secrets.toml";
  configure_secrets(missing.string());
  const auto result = place_->run(issue);
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.output, IsEmpty());
  EXPECT_THAT(result.errors, HasSubstr("secrets.file: there is no " + missing.string()));
  EXPECT_FALSE(std::filesystem::exists(missing));
  EXPECT_EQ(place_->run({"token", "list"}).status, 0) << "the list needs no key";
}

TEST_P(OtherSecrets, DoNotServeTheStore) {
  configure_other_secrets();
  running_roost server(*place_, started::listening);
  const auto refusal = server.wait_for_event("other_signing_keys");
  EXPECT_EQ(refusal.level, "error");
  EXPECT_THAT(refusal.at("what"), HasSubstr("`roost secrets adopt`"));
  const auto readiness = server.ops("/readyz");
  EXPECT_EQ(readiness.status, 503U);
  EXPECT_THAT(readiness.body, HasSubstr("the store's tokens were signed with other keys"));
  EXPECT_EQ(server.ops("/healthz").status, 200U);
}

TEST_P(OtherSecrets, AreNotCreatedByAServer) {
  const auto missing = place_->folder() / "elsewhere/secrets.toml";
  configure_secrets(missing.string());
  const auto served = place_->run({"serve"});
  EXPECT_EQ(served.status, 1);
  EXPECT_THAT(served.errors, HasSubstr("secrets.file: there is no " + missing.string()));
  EXPECT_FALSE(std::filesystem::exists(missing.parent_path()));
  EXPECT_THAT(place_->run({"doctor"}).output, HasSubstr("of a secrets.file that is missing or unreadable"));
}

TEST_P(OtherSecrets, AreAdoptedOnlyWithConfirmationAndWithoutARunningServer) {
  EXPECT_THAT(place_->run_or_throw({"secrets", "adopt"}), HasSubstr("nothing to do"));
  {
    const running_roost server(*place_);
    configure_other_secrets();
    const auto unconfirmed = place_->run({"secrets", "adopt"});
    EXPECT_EQ(unconfirmed.status, 2);
    EXPECT_THAT(unconfirmed.errors, AllOf(HasSubstr("becomes invalid"), HasSubstr("--confirm")));
    const auto refused = place_->run({"secrets", "adopt", "--confirm"});
    EXPECT_EQ(refused.status, 1);
    EXPECT_THAT(refused.errors, HasSubstr("a server serves this store"));
    EXPECT_EQ(partner(server.port(), "marketplace-a", token_).get("/listings").status, 200U);
  }
  EXPECT_EQ(place_->run(issue).status, 1) << "the store's keys are unchanged";
}

TEST(FirstSecrets, AreBoundToTheStoreOnceTheySign) {
  workplace place(store_kind::sqlite, false);
  const auto own = place.folder() / "own.toml", other = place.folder() / "other.toml";
  const auto secrets_option = [](const std::filesystem::path& file) {
    return "secrets.file=" + file.string();
  };
  place.run_or_throw({"migrate"});
  EXPECT_EQ(place.run({"token", "issue", "--platform", "marketplace-a", "--set", secrets_option(own)}).status,
            0);
  const workplace elsewhere(store_kind::sqlite);
  elsewhere.issue_token("marketplace-a");
  std::filesystem::copy_file(elsewhere.folder() / "secrets.toml", other);
  EXPECT_EQ(place.run({"booking", "list", "--set", secrets_option(other)}).status, 1);
  EXPECT_EQ(place.run({"booking", "list", "--set", secrets_option(own)}).status, 0);
}

TEST_P(OtherSecrets, CanBeAdoptedWhichInvalidatesTokens) {
  configure_other_secrets();
  const auto adopted = place_->run({"secrets", "adopt", "--confirm"});
  EXPECT_EQ(adopted.status, 0) << adopted.errors;
  const running_roost server(*place_);
  EXPECT_EQ(partner(server.port(), "marketplace-a", token_).get("/listings").status, 401U);
  EXPECT_EQ(server.partner_of("marketplace-a").get("/listings").status, 200U);
}

TEST(StoreFile, IsPrivateToItsOwner) {
  const workplace place(store_kind::sqlite, false);
  namespace fs = std::filesystem;
  const auto folder = place.folder() / "new/deep", file = folder / "roost.db";
  const auto mode = [](const fs::path& path) { return fs::status(path).permissions() & fs::perms::mask; };
  const std::string url = "store.url=sqlite3://" + file.string();
  EXPECT_EQ(place.run({"migrate", "--set", url}).status, 0);
  EXPECT_EQ(mode(file), fs::perms{0600});
  EXPECT_EQ(mode(folder), fs::perms{0700});
  EXPECT_EQ(mode(folder.parent_path()), fs::perms{0700});
  const running_roost server(place, started::serving, {"--set", url});
  for (const auto* suffix : {"-wal", "-shm"})
    EXPECT_EQ(mode(file.string() + suffix), fs::perms{0600}) << suffix;
}

} // namespace roost::testing::signing_keys_test
