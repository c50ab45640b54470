#include "store/copy/copy_plan.hpp"
#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "support/store.hpp"

#include <gmock/gmock.h>

namespace roost::testing::copy_plan_test {
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ROOST_FOR_EACH_STORE(CopyPlan);

TEST_P(CopyPlan, ListsEveryTableOfTheSchema) {
  auto missing = store::unlisted(store::read_catalogue(session()));
  if (!session().is_sqlite())
    std::erase_if(missing, [](const std::string& line) {
      return line == "import_steps is not in the store" || line == "pending_import is not in the store";
    });
  EXPECT_THAT(missing, IsEmpty()) << "tables.cpp says what a copy does with each";
}

TEST_P(CopyPlan, HasAFormOfEveryColumn) {
  const auto own = store::describe(session());
  const test_store other(GetParam() == store_kind::sqlite ? store_kind::postgresql : store_kind::sqlite);
  auto other_session = other.open();
  const auto others = store::describe(other_session);
  EXPECT_NO_THROW(store::plan_copy(own, others));
  EXPECT_NO_THROW(store::plan_copy(others, own));
  EXPECT_NO_THROW(store::plan_copy(own, own));
}

TEST_P(CopyPlan, RefusesATableThatIsNotListed) {
  const auto before = store::describe(session());
  session().internals().script("later", "create table later (id integer)");
  const auto now = store::describe(session());
  EXPECT_THAT(store::unlisted(now.tables), ::testing::Contains("later is not in the list"));
  EXPECT_THROW(store::plan_copy(now, now), store::failure);
}

TEST_P(CopyPlan, RefusesAColumnThatOneSideLacks) {
  const auto before = store::describe(session());
  session().internals().script("later", "alter table accounts add column later text");
  const auto now = store::describe(session());
  for (const auto& [source, target] : {std::pair(before, now), std::pair(now, before)}) try {
      store::plan_copy(source, target);
      ADD_FAILURE() << "was not refused";
    } catch (const store::failure& failed) {
      EXPECT_THAT(failed.what(), HasSubstr("accounts.later is in the "));
    }
}

} // namespace roost::testing::copy_plan_test
