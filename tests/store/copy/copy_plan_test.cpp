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
  auto mismatches = store::schema_mismatches(store::read_catalog(session()));
  if (!session().is_sqlite())
    std::erase_if(mismatches, [](const std::string& line) {
      return line == "import_steps is not in the store" || line == "import_counts is not in the store" ||
             line == "pending_import is not in the store";
    });
  EXPECT_THAT(mismatches, IsEmpty()) << "list new tables in table_entries()";
}

TEST_P(CopyPlan, KnowsTheFormOfEveryColumn) {
  const auto schema = store::read_schema(session());
  const test_store other(GetParam() == store_kind::sqlite ? store_kind::postgresql : store_kind::sqlite);
  auto other_session = other.open();
  const auto other_schema = store::read_schema(other_session);
  EXPECT_NO_THROW(store::plan_copy(schema, other_schema));
  EXPECT_NO_THROW(store::plan_copy(other_schema, schema));
  EXPECT_NO_THROW(store::plan_copy(schema, schema));
}

TEST_P(CopyPlan, RejectsATableThatIsNotListed) {
  session().internals().script("later", "create table later (id integer)");
  const auto now = store::read_schema(session());
  EXPECT_THAT(store::schema_mismatches(now.tables), ::testing::Contains("later is not in the list"));
  EXPECT_THROW(store::plan_copy(now, now), store::failure);
}

TEST_P(CopyPlan, RejectsAColumnThatOneStoreLacks) {
  const auto before = store::read_schema(session());
  session().internals().script("later", "alter table accounts add column later text");
  const auto now = store::read_schema(session());
  for (const auto& [source, target] : {std::pair(before, now), std::pair(now, before)}) try {
      store::plan_copy(source, target);
      ADD_FAILURE() << "was accepted";
    } catch (const store::failure& error) {
      EXPECT_THAT(error.what(), HasSubstr("accounts.later is in the "));
    }
}

} // namespace roost::testing::copy_plan_test
