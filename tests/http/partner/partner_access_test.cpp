#include "http/partner/partner_api.hpp"
#include "security/live_keys.hpp"
#include "support/sample_portfolio.hpp"
#include "support/signing.hpp"

#include <gtest/gtest.h>

/// Which requests are allowed below a platform's prefix, and how the others are refused.
namespace roost::http::testing::partner_access_test {
using roost::testing::numbered_id;
using security::test_key;

const auto now =
    domain::timestamp{std::chrono::sys_days{std::chrono::year{2026} / 11 / 22}.time_since_epoch()};

const domain::platform plain{
    .name = "plain", .kind = domain::platform_kind::channel_manager, .prefix = "plain"};
const domain::platform marketplace_a{
    .name = "a", .kind = domain::platform_kind::marketplace_a, .prefix = "a"};
const domain::platform engine{
    .name = "engine", .kind = domain::platform_kind::booking_engine, .prefix = "engine"};

domain::platform landlords(std::optional<domain::uuid> account) {
  return {.name = "one", .kind = domain::platform_kind::single_landlord, .prefix = "one", .account = account};
}

struct refusal {
  unsigned status = 200;
  std::string message;

  bool operator==(const refusal&) const = default;
};

class PartnerAccess : public ::testing::Test {
protected:
  PartnerAccess() {
    services_.platforms = std::make_shared<const std::vector<domain::platform>>();
    services_.directory = &directory_;
    services_.lease = lease_;
    services_.tokens = &tokens_;
    services_.live_keys = &live_keys_;
    services_.now = [this] { return clock_; };
    lease_->hold({}, actors::held_lease::clock::time_point::max());
    publish({account(1, false), account(2, true)});
  }

  static std::shared_ptr<const actors::directory_account> account(unsigned char number, bool has_moved) {
    auto account = std::make_shared<actors::directory_account>();
    auto settings = std::make_shared<domain::account>();
    account->id = settings->id = numbered_id(number);
    settings->native_engine = has_moved;
    account->settings = std::move(settings);
    return account;
  }

  void publish(std::vector<std::shared_ptr<const actors::directory_account>> accounts) {
    directory_.set(std::make_shared<const actors::directory>(1, services_.platforms, std::move(accounts)));
  }

  /// Returns a token for a platform that is valid for an hour.
  std::string token_for(const domain::platform& platform) {
    const auto issued = security::issue_token(test_key(1), platform.name, now, std::chrono::hours{1});
    tokens_.replace_live(std::make_shared<const security::live_tokens>(
        security::live_tokens{{issued.claims.id, std::make_shared<security::last_use>()}}));
    return issued.text;
  }

  std::string account_key(unsigned char account) {
    const auto key = security::issue_key(security::key_kind::account);
    publish_key(key.hash, {security::key_kind::account, numbered_id(50), numbered_id(account), {}, use_});
    return key.plaintext;
  }

  refusal enter(const domain::platform& platform, std::vector<header_field> fields) {
    return run(partner_checks(services_, platform).checks, std::move(fields));
  }

  refusal enter_with_account(std::vector<header_field> fields) {
    return run({account_key_check(services_)}, std::move(fields));
  }

  static refusal run(const std::vector<check>& checks, std::vector<header_field> fields) {
    request req;
    req.fields = std::move(fields);
    try {
      for (const auto& each : checks) each(req);
    } catch (const error& refused) {
      return {refused.status, refused.message};
    }
    return {};
  }

  void publish_webhook_key(const std::string& hash) {
    publish_key(hash, {security::key_kind::webhook, numbered_id(60), {}, {}, use_});
  }
  void publish_key(const std::string& hash, security::live_key key) {
    auto keys = std::make_shared<security::live_keys>();
    keys->add(hash, std::move(key));
    live_keys_.set(std::move(keys));
  }

  actors::published<actors::directory> directory_;

  std::shared_ptr<security::last_use> use_ = std::make_shared<security::last_use>(); ///< of the key
  actors::published<security::live_keys> live_keys_;
  std::shared_ptr<actors::held_lease> lease_ = std::make_shared<actors::held_lease>();
  security::token_verifier tokens_{test_key(1)};
  domain::timestamp clock_ = now;
  partner_services services_;
};

const refusal allowed{}, missing{401, "Missing integration credentials"},
    invalid{401, "Invalid integration credentials"}, unauthorized_{401, "Unauthorized"},
    busy_{503, "The service is busy. Please try again in a moment."},
    unconfigured{503, "This integration is not configured yet. Contact support."};

TEST_F(PartnerAccess, RequiresATokenOfThePlatform) {
  const auto good = "Bearer " + token_for(plain);
  EXPECT_EQ(enter(plain, {{"Authorization", good}}), allowed);
  EXPECT_EQ(enter(plain, {{"authorization", good}}), allowed);
  EXPECT_EQ(enter(engine, {{"Authorization", good}}), unauthorized_);
}

TEST_F(PartnerAccess, RequiresExactlyBearerOneSpaceAndAToken) {
  const auto token = token_for(plain);
  EXPECT_EQ(enter(plain, {}), missing);
  for (const auto& value : {"", "Bearer", "Bearer "})
    EXPECT_EQ(enter(plain, {{"Authorization", value}}), invalid);
  EXPECT_EQ(enter(plain, {{"Authorization", token}}), invalid);
  EXPECT_EQ(enter(plain, {{"Authorization", "bearer " + token}}), invalid);
  const auto two_spaces = "Bearer  " + token, twice = "Bearer Bearer " + token;
  EXPECT_EQ(enter(plain, {{"Authorization", two_spaces}}), invalid);
  EXPECT_EQ(enter(plain, {{"Authorization", twice}}), unauthorized_);
}

TEST_F(PartnerAccess, RefusesARepeatedHeader) {
  const auto good = "Bearer " + token_for(plain);
  EXPECT_EQ(enter(plain, {{"Authorization", good}, {"Authorization", good}}), unauthorized_);
}

TEST_F(PartnerAccess, EndsWhenTheTokenExpires) {
  const auto good = "Bearer " + token_for(plain);
  clock_ = now + std::chrono::hours{1} - std::chrono::milliseconds{1};
  EXPECT_EQ(enter(plain, {{"Authorization", good}}), allowed);
  clock_ = now + std::chrono::hours{1};
  EXPECT_EQ(enter(plain, {{"Authorization", good}}), unauthorized_);
}

TEST_F(PartnerAccess, EndsWhenTheTokenIsNoLongerLive) {
  const auto good = "Bearer " + token_for(plain);
  token_for(plain); // replaces it
  EXPECT_EQ(enter(plain, {{"Authorization", good}}), unauthorized_);
}

TEST_F(PartnerAccess, IsAlsoGrantedByAWebhookKeyOnMarketplaceA) {
  const auto key = security::issue_key(security::key_kind::webhook);
  publish_webhook_key(key.hash);
  EXPECT_EQ(use_->minute(), 0);
  EXPECT_EQ(enter(marketplace_a, {{"x-api-key", key.plaintext}}), allowed);
  EXPECT_GT(use_->minute(), 0) << "its use is recorded";
  EXPECT_EQ(enter(marketplace_a, {{"x-api_key", key.plaintext}}), allowed);
  EXPECT_EQ(enter(plain, {{"x-api-key", key.plaintext}}), missing);
  EXPECT_EQ(enter(marketplace_a, {{"x-api-key", "wk_other"}}), missing);
  const auto good = "Bearer " + token_for(marketplace_a);
  EXPECT_EQ(enter(marketplace_a, {{"x-api-key", "wk_other"}, {"Authorization", good}}), allowed);
}

TEST_F(PartnerAccess, IgnoresARepeatedWebhookKey) {
  const auto key = security::issue_key(security::key_kind::webhook);
  publish_webhook_key(key.hash);
  EXPECT_EQ(enter(marketplace_a, {{"x-api-key", key.plaintext}, {"x-api-key", key.plaintext}}), missing);
}

TEST_F(PartnerAccess, IsBusyBeforeTheTokenIsCheckedWhileNothingIsServed) {
  directory_.set(nullptr);
  EXPECT_EQ(enter(plain, {}), busy_);
  publish({});
  EXPECT_EQ(enter(plain, {}), missing);
  lease_->give_up();
  EXPECT_EQ(enter(plain, {}), busy_);
}

TEST_F(PartnerAccess, LetsRoutesRespondOnlyWhileThisServerIsTheWriter) {
  std::vector<route> routes(2);
  respond_as_writer(services_.lease, routes);
  for (const auto& each : routes) EXPECT_TRUE(each.holds());
  lease_->give_up();
  for (const auto& each : routes) EXPECT_FALSE(each.holds());
}

TEST_F(PartnerAccess, RequiresAnExistingAccountForASingleLandlord) {
  EXPECT_EQ(enter(landlords(std::nullopt), {}), unconfigured);
  EXPECT_EQ(enter(landlords(numbered_id(9)), {}), unconfigured);
  EXPECT_EQ(enter(landlords(numbered_id(1)), {}), missing);
}

TEST_F(PartnerAccess, IsGoneOnTheEngineForAnAccountThatMoved) {
  const auto good = "Bearer " + token_for(engine);
  const auto moved = account_key(2);
  EXPECT_EQ(enter(engine, {{"Authorization", good}, {"svc-api-key", moved}}).status, 410U);
  EXPECT_EQ(enter(engine, {{"Authorization", good}}), allowed);
  const auto stays = account_key(1);
  EXPECT_EQ(enter(engine, {{"Authorization", good}, {"svc-api-key", stays}}), allowed);
  EXPECT_EQ(enter(engine, {{"svc-api-key", moved}}), missing); // the token comes first
}

TEST_F(PartnerAccess, ForPropertyCreationRequiresTheKeyOfAnAccount) {
  const refusal no_key{401, "Missing svc-api-key header"};
  const auto key = account_key(1);
  EXPECT_EQ(enter_with_account({{"svc-api-key", key}}), allowed);
  EXPECT_GT(use_->minute(), 0) << "its use is recorded";
  EXPECT_EQ(enter_with_account({}), no_key);
  EXPECT_EQ(enter_with_account({{"svc-api-key", ""}}), no_key);
  EXPECT_EQ(enter_with_account({{"svc-api-key", "rk_other"}}), unauthorized_);
  EXPECT_EQ(enter_with_account({{"svc-api-key", key}, {"svc-api-key", key}}), unauthorized_);
}

TEST_F(PartnerAccess, PassesTheAccountToTheHandler) {
  const auto key = account_key(2);
  request req;
  req.fields = {{"svc-api-key", key}};
  account_key_check(services_)(req);
  EXPECT_EQ(account_of(req), numbered_id(2));
}

TEST_F(PartnerAccess, NamesTheCredentialOfTheRequest) {
  const auto good = "Bearer " + token_for(engine);
  request req;
  req.fields = {{"Authorization", good}};
  EXPECT_TRUE(caller_of(services_, engine, req).starts_with("token "));
  const auto key = account_key(1);
  request with_key;
  with_key.fields = {{"Authorization", good}, {"svc-api-key", key}};
  EXPECT_EQ(caller_of(services_, engine, with_key), "account key " + domain::to_string(numbered_id(50)));
}

TEST_F(PartnerAccess, IsRefusedForAKeyOfAnotherKind) {
  const auto key = security::issue_key(security::key_kind::account);
  publish_webhook_key(key.hash);
  EXPECT_EQ(enter_with_account({{"svc-api-key", key.plaintext}}), unauthorized_);
}

TEST(LandlordKey, IsNotBlank) {
  for (const auto* blank : {"", " ", "\t\r\n"}) {
    request req;
    req.parameters = {blank};
    EXPECT_THROW(require_landlord_key(req), error);
  }
  request req;
  req.parameters = {" key "};
  EXPECT_EQ(require_landlord_key(req), " key ");
}

} // namespace roost::http::testing::partner_access_test
