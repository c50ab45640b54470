#include "store/credentials/signing_keys.hpp"
#include "store/database/error.hpp"
#include "support/store.hpp"

namespace roost::testing::signing_keys_test {
ROOST_FOR_EACH_STORE(SigningKeys);

TEST_P(SigningKeys, AreBoundByTheFirstProcess) {
  EXPECT_FALSE(store::signing_keys_of(session()));
  store::bind_signing_keys(session(), "first");
  EXPECT_EQ(store::signing_keys_of(session()), "first");
  EXPECT_NO_THROW(store::bind_signing_keys(session(), "first"));
  EXPECT_NO_THROW(store::check_signing_keys(session(), "first"));
}

TEST_P(SigningKeys, AreNotBoundByACheck) {
  EXPECT_NO_THROW(store::check_signing_keys(session(), "first"));
  EXPECT_FALSE(store::signing_keys_of(session()));
}

TEST_P(SigningKeys, AreRejectedIfTheStoreHasOthers) {
  store::bind_signing_keys(session(), "first");
  EXPECT_THROW(store::check_signing_keys(session(), "second"), store::other_signing_keys);
  EXPECT_THROW(store::bind_signing_keys(session(), "second"), store::other_signing_keys);
  EXPECT_EQ(store::signing_keys_of(session()), "first");
}

TEST_P(SigningKeys, CanBeReplaced) {
  store::bind_signing_keys(session(), "first");
  store::adopt_signing_keys(session(), "second");
  EXPECT_NO_THROW(store::check_signing_keys(session(), "second"));
  EXPECT_THROW(store::check_signing_keys(session(), "first"), store::other_signing_keys);
}

} // namespace roost::testing::signing_keys_test
