#include "store/database/bulk.hpp"
#include "store/database/error.hpp"
#include "store/database/transaction.hpp"
#include "support/store.hpp"

#include <limits>

namespace roost::testing::bulk_test {
using store::bulk_mode;

const store::bulk_table notes{"bulk_notes", {{"id", "integer", store::column_role::key}, {"words", "text"}}};

class BulkWriter : public on_each_store {
protected:
  void SetUp() override {
    session().internals().script("test_table",
                                 "create table bulk_notes (id integer primary key, words text)");
  }

  void write(bulk_mode mode, const std::vector<std::pair<int, std::optional<std::string>>>& rows) {
    store::transaction within(session(), store::transaction::purpose::write);
    store::bulk_writer writer(session(), notes, mode);
    for (const auto& [id, words] : rows) writer.add(id, words);
    written = writer.finish();
    within.commit();
  }

  std::vector<std::optional<std::string>> stored() {
    std::vector<std::optional<std::string>> words;
    session().internals().read({"test_notes", "select words from bulk_notes order by id", 1}, {},
                               [&](store::row& r) { words.push_back(r.optional_text()); });
    return words;
  }

  std::int64_t written = 0;
};
ROOST_ON_EACH_STORE(BulkWriter);

const std::vector<std::optional<std::string>> odd_texts{"",
                                                        std::nullopt,
                                                        "NULL",
                                                        "\\N",
                                                        "\\.",
                                                        "a\tb\nc\r\nd",
                                                        R"(back\slash "quote" 'tick')",
                                                        "{1,2},null",
                                                        "Łódź 東京 🏠",
                                                        " ",
                                                        "\\x41\\t\\\\n",
                                                        "\x01\x7f"};

TEST_P(BulkWriter, KeepsEveryTextAsItIs) {
  for (const auto mode : {bulk_mode::insert, bulk_mode::insert_new}) {
    std::vector<std::pair<int, std::optional<std::string>>> rows;
    for (std::size_t i = 0; i < odd_texts.size(); ++i) rows.emplace_back(static_cast<int>(i), odd_texts[i]);
    write(mode, rows);
    EXPECT_EQ(written, static_cast<std::int64_t>(odd_texts.size()));
    EXPECT_EQ(stored(), odd_texts);
    write(bulk_mode::erase, rows);
    EXPECT_TRUE(stored().empty());
  }
}

TEST_P(BulkWriter, WritesMoreRowsThanAStatementTakes) {
  std::vector<std::pair<int, std::optional<std::string>>> rows;
  for (int i = 0; i < 2'500; ++i) rows.emplace_back(i, std::string(50, 'x'));
  write(bulk_mode::insert, rows);
  EXPECT_EQ(written, 2'500);
  EXPECT_EQ(stored().size(), 2'500U);
}

TEST_P(BulkWriter, WritesNothingWithARowThatTheDatabaseRefuses) {
  write(bulk_mode::insert, {{7, "first"}});
  EXPECT_THROW(write(bulk_mode::insert, {{8, "more"}, {7, "again"}}), store::constraint_violated);
  EXPECT_EQ(stored().size(), 1U);
  write(bulk_mode::insert, {{9, "the session goes on"}});
  EXPECT_EQ(stored().size(), 2U);
}

TEST_P(BulkWriter, RefusesTextWithANulByteAndGoesOn) {
  std::vector<std::pair<int, std::optional<std::string>>> rows;
  for (int i = 0; i < 900; ++i)
    rows.emplace_back(i, std::string(100, 'x')); // some of it is on its way by then
  rows.emplace_back(900, std::string("a\0b", 3));
  EXPECT_THROW(write(bulk_mode::insert, rows), store::constraint_violated);
  EXPECT_TRUE(stored().empty());
  write(bulk_mode::insert, {{1, "the session goes on"}});
  EXPECT_EQ(stored().size(), 1U);
}

TEST_P(BulkWriter, LeavesRowsAloneThatAreThereAlready) {
  write(bulk_mode::insert, {{1, "old"}});
  write(bulk_mode::insert_new, {{1, "new"}, {2, "new"}});
  EXPECT_EQ(written, 1);
  EXPECT_EQ(stored(), (std::vector<std::optional<std::string>>{"old", "new"}));
}

TEST_P(BulkWriter, UpdatesOnlyRowsThatDiffer) {
  write(bulk_mode::insert, {{1, "same"}, {2, "old"}, {3, std::nullopt}});
  write(bulk_mode::update_changed, {{1, "same"}, {2, "new"}, {3, std::nullopt}, {4, "nobody's"}});
  EXPECT_EQ(written, 1);
  EXPECT_EQ(stored(), (std::vector<std::optional<std::string>>{"same", "new", std::nullopt}));
}

const store::bulk_table one_of_each{"one_of_each",
                                    {{"id", "uuid", store::column_role::key},
                                     {"words", "text"},
                                     {"flag", "boolean"},
                                     {"small", "integer"},
                                     {"large", "bigint"},
                                     {"ratio", "double precision"},
                                     {"day", "date"},
                                     {"moment", "timestamptz"},
                                     {"plain", "json"},
                                     {"parsed", "jsonb"}}};

class BulkWriterOfPostgresql : public on_each_store {
protected:
  void SetUp() override {
    session().internals().script(
        "test_table",
        "create table one_of_each (id uuid, words text, flag boolean, small integer, large bigint,"
        " ratio double precision, day date, moment timestamptz, plain json, parsed jsonb)");
  }

  template <typename... Values>
  void insert(const Values&... values) {
    for (const auto mode : {bulk_mode::insert, bulk_mode::insert_new}) {
      store::transaction within(session(), store::transaction::purpose::write);
      store::bulk_writer writer(session(), one_of_each, mode);
      writer.add(values...);
      EXPECT_EQ(writer.finish(), 1);
      within.commit();
    }
  }

  /// The rows as PostgreSQL writes them, each once.
  std::vector<std::string> stored() {
    std::vector<std::string> rows;
    session().internals().read(
        {"test_rows", "select distinct row(t.*)::text from one_of_each t order by 1", 1}, {},
        [&](store::row& r) { rows.push_back(r.text()); });
    return rows;
  }
};
ROOST_ON_POSTGRESQL(BulkWriterOfPostgresql);

TEST_P(BulkWriterOfPostgresql, SendsTheSameValuesInACopyAsInArrays) {
  using namespace std::chrono_literals;
  const auto id = *domain::parse_uuid("0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001");
  insert(id, "a", true, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int64_t>::max(),
         0.1, *domain::parse_date("1999-12-31"), *domain::parse_timestamp("1969-12-31T23:59:59.999Z"),
         "{\"a\": 1}", "[1, 2]");
  insert(id, "b", false, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int64_t>::min(),
         -1e300, *domain::parse_date("9999-12-31"), *domain::parse_timestamp("2026-11-20T09:30:00.123Z"),
         "null", "{}");
  const store::cell null;
  insert(null, null, null, null, null, null, null, null, null, null);
  EXPECT_EQ(
      stored(),
      (std::vector<std::string>{
          "(,,,,,,,,,)",
          "(0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001,a,t,-2147483648,9223372036854775807,0.1,1999-12-31,"
          "\"1969-12-31 23:59:59.999+00\",\"{\"\"a\"\": 1}\",\"[1, 2]\")",
          "(0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001,b,f,2147483647,-9223372036854775808,-1e+300,9999-12-31,"
          "\"2026-11-20 09:30:00.123+00\",null,{})"}));
}

TEST_P(BulkWriterOfPostgresql, RefusesACellThatIsNotOfItsColumnsType) {
  const store::cell null;
  store::transaction within(session(), store::transaction::purpose::write);
  store::bulk_writer writer(session(), one_of_each, bulk_mode::insert);
  writer.add("no id", null, null, null, null, null, null, null, null, null);
  EXPECT_THROW(writer.finish(), store::failure);
}

TEST_P(BulkWriterOfPostgresql, RefusesAColumnWhoseTypeItDoesNotKnow) {
  const store::bulk_table unknown{"one_of_each", {{"large", "numeric"}}};
  store::transaction within(session(), store::transaction::purpose::write);
  store::bulk_writer writer(session(), unknown, bulk_mode::insert);
  writer.add(1);
  EXPECT_THROW(writer.finish(), store::failure);
}

} // namespace roost::testing::bulk_test
