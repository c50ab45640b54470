#include "store/credentials/credential_uses.hpp"
#include "store/database/error.hpp"
#include "store/support/sample_booking.hpp"
#include "support/store.hpp"

namespace roost::testing::credential_uses_test {
ROOST_FOR_EACH_STORE(CredentialUses);
using uses = std::vector<domain::credential_use>;

const auto nine = moment("2026-11-20T09:00:00Z"), ten = moment("2026-11-20T10:00:00Z");

TEST_P(CredentialUses, AreKeptForEachCredential) {
  const auto held = take_lease(session());
  EXPECT_TRUE(store::last_uses(session()).empty());
  store::note_uses(session(), held, uses{{numbered_id(30, 1), nine}, {numbered_id(30, 2), nine}});
  store::note_uses(session(), held, uses{{numbered_id(30, 2), ten}, {numbered_id(30, 3), ten}});
  const auto found = store::last_uses(session());
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found.at(numbered_id(30, 1)), nine);
  EXPECT_EQ(found.at(numbered_id(30, 2)), ten);
  EXPECT_EQ(found.at(numbered_id(30, 3)), ten);
}

TEST_P(CredentialUses, AreWrittenByTheHolderOfTheLeaseAlone) {
  const auto held = take_lease(session());
  const store::lease lost{held.node, held.epoch - 1};
  EXPECT_THROW(store::note_uses(session(), lost, uses{{numbered_id(30, 1), nine}}), store::lease_lost);
  EXPECT_TRUE(store::last_uses(session()).empty());
}

TEST_P(CredentialUses, AreNoChangeForOtherServers) {
  const auto held = take_lease(session());
  const auto before = position_of(session());
  store::note_uses(session(), held, uses{{numbered_id(30, 1), nine}});
  EXPECT_EQ(position_of(session()), before);
}

} // namespace roost::testing::credential_uses_test
