#include "store/database/change_stream.hpp"
#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/transaction.hpp"
#include "store/support/sample_booking.hpp"
#include "support/store.hpp"

#include <stdexcept>

namespace roost::testing::transaction_test {

ROOST_FOR_EACH_STORE(Transactions);

TEST_P(Transactions, AreRolledBackUnlessCommitted) {
  {
    store::transaction txn(session(), store::transaction::purpose::write);
    session().internals().script("write", "update change_stream set applied = 100");
  }
  EXPECT_EQ(store::applied_position(session()), 1);
}

TEST_P(Transactions, CannotBeCommittedAfterAnError) {
  store::transaction txn(session(), store::transaction::purpose::write);
  session().internals().script("write", "update change_stream set applied = 100");
  EXPECT_THROW(session().internals().script("wrong", "update no_such_table set a = 1"), store::failure);
  EXPECT_THROW(txn.commit(), store::unavailable);
}

TEST_P(Transactions, ForReadingSeeOneSnapshot) {
  auto other = store().open();
  store::transaction txn(session(), store::transaction::purpose::read);
  EXPECT_EQ(store::applied_position(session()), 1);
  other.internals().script("write", "update change_stream set applied = 100");
  EXPECT_EQ(store::applied_position(session()), 1);
}

TEST_P(Transactions, ToleratePartiallyReadStatements) {
  writer node(session());
  node.insert({sample_request(1), sample_request(2)});
  const store::selection ids{"ids", "select {columns} from booking_requests",
                             store::named<domain::uuid>("id")};
  const auto stop = [](const domain::uuid&) { throw std::runtime_error("enough"); };
  EXPECT_THROW(session().internals().read(ids, {}, stop), std::runtime_error);
  EXPECT_NO_THROW(node.insert({sample_request(3)}));
}

} // namespace roost::testing::transaction_test
