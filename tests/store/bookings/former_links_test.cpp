#include "store/bookings/requests.hpp"
#include "store/database/connection.hpp"
#include "store/support/sample_portfolio.hpp"
#include "support/store.hpp"

#include <gtest/gtest.h>

namespace roost::testing::former_links_test {
ROOST_FOR_EACH_STORE(FormerLinks);

using accounts = std::vector<domain::uuid>;

accounts who_had(store::session& db, const std::string& external_id) {
  accounts found;
  for (const auto& link : store::former_links(db, std::vector{external_id})) {
    EXPECT_EQ(link.platform, "marketplace-a");
    EXPECT_EQ(link.external_id, external_id);
    found.push_back(link.account_id);
  }
  return found;
}

/// The sample's first unit under this ID, or without a link.
domain::portfolio linked(unsigned long account, const std::string& external_id = {}) {
  domain::portfolio file;
  file.accounts.push_back(sample_account(account, 1, account));
  auto& links = file.accounts.front().properties.front().units.front().links;
  links.clear();
  if (!external_id.empty()) links.push_back({"marketplace-a", external_id, {}});
  return file;
}

TEST_P(FormerLinks, AreThoseThatAnImportEnded) {
  import_sample(session(), linked(1, "old"));
  EXPECT_EQ(who_had(session(), "old"), accounts{});
  import_sample(session(), linked(1, "new"));
  EXPECT_EQ(who_had(session(), "old"), accounts{account_id(1)});
  EXPECT_EQ(who_had(session(), "new"), accounts{});
  import_sample(session(), linked(1));
  EXPECT_EQ(who_had(session(), "new"), accounts{account_id(1)});
  EXPECT_TRUE(store::former_links(session(), {}).empty());
}

TEST_P(FormerLinks, AreThoseOfUnitsThatAreGone) {
  import_sample(session(), linked(1, "old"));
  auto none = linked(1);
  none.accounts.front().properties.front().units.clear();
  import_sample(session(), none);
  EXPECT_EQ(who_had(session(), "old"), accounts{account_id(1)});
}

TEST_P(FormerLinks, ComeInTheOrderOfTheirEnds) {
  for (const auto account : {1UL, 2UL, 1UL}) {
    import_sample(session(), linked(account, "same"));
    import_sample(session(), linked(account));
    std::this_thread::sleep_for(std::chrono::milliseconds{2}); // SQLite's clock has milliseconds
  }
  EXPECT_EQ(who_had(session(), "same"), (accounts{account_id(2), account_id(1)}));
}

TEST_P(FormerLinks, CountForNinetyDays) {
  import_sample(session(), linked(1, "old"));
  import_sample(session(), linked(1));
  const auto let_pass = [&](const char* days) {
    session().internals().script("test_passed",
                                 session().is_sqlite()
                                     ? "update former_links set ended_at = strftime('%Y-%m-%dT%H:%M:%fZ', "
                                       "'now', '-" +
                                           std::string(days) + " days')"
                                     : "update former_links set ended_at = clock_timestamp() - interval '" +
                                           std::string(days) + " days'");
  };
  let_pass("89");
  EXPECT_EQ(who_had(session(), "old"), accounts{account_id(1)});
  let_pass("91");
  EXPECT_EQ(who_had(session(), "old"), accounts{});
}

} // namespace roost::testing::former_links_test
