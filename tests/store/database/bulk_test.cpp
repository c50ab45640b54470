#include "store/database/bulk.hpp"
#include "store/database/error.hpp"
#include "store/database/transaction.hpp"
#include "support/store.hpp"

#include <limits>

namespace roost::testing::bulk_test {
using store::bulk_mode;

struct note {
  int id;
  std::optional<std::string> words;
};
constexpr auto note_columns =
    store::columns(store::column("id", &note::id).key(), store::column("words", &note::words));
const auto notes = store::table_of<note_columns>("bulk_notes");
const store::selection words_of_notes{"test_notes", "select {columns} from bulk_notes order by id",
                                      store::named<std::optional<std::string>>("words")};

class BulkWriter : public on_each_store {
protected:
  void SetUp() override {
    session().internals().script("test_table",
                                 "create table bulk_notes (id integer primary key, words text)");
  }

  void write(bulk_mode mode, const std::vector<note>& rows) {
    store::transaction txn(session(), store::transaction::purpose::write);
    store::bulk_writer writer(session(), notes, mode);
    for (const auto& each : rows) writer.add(each);
    written = writer.finish();
    txn.commit();
  }

  std::vector<std::optional<std::string>> stored() { return session().internals().read_all(words_of_notes); }

  std::int64_t written = 0;
};
ROOST_ON_EACH_STORE(BulkWriter);

const std::vector<std::optional<std::string>> special_texts{"",
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

TEST_P(BulkWriter, PreservesEveryText) {
  for (const auto mode : {bulk_mode::insert, bulk_mode::insert_new}) {
    std::vector<note> rows;
    for (std::size_t i = 0; i < special_texts.size(); ++i)
      rows.push_back({static_cast<int>(i), special_texts[i]});
    write(mode, rows);
    EXPECT_EQ(written, static_cast<std::int64_t>(special_texts.size()));
    EXPECT_EQ(stored(), special_texts);
    write(bulk_mode::erase, rows);
    EXPECT_TRUE(stored().empty());
  }
}

TEST_P(BulkWriter, WritesMoreRowsThanOneStatementHolds) {
  std::vector<note> rows;
  for (int i = 0; i < 2'500; ++i) rows.push_back({i, std::string(50, 'x')});
  write(bulk_mode::insert, rows);
  EXPECT_EQ(written, 2'500);
  EXPECT_EQ(stored().size(), 2'500U);
}

TEST_P(BulkWriter, WritesNothingIfTheDatabaseRejectsARow) {
  write(bulk_mode::insert, {{7, "first"}});
  EXPECT_THROW(write(bulk_mode::insert, {{8, "more"}, {7, "again"}}), store::constraint_violated);
  EXPECT_EQ(stored().size(), 1U);
  write(bulk_mode::insert, {{9, "the session still works"}});
  EXPECT_EQ(stored().size(), 2U);
}

TEST_P(BulkWriter, RejectsTextWithANulByteAndStaysUsable) {
  std::vector<note> rows;
  for (int i = 0; i < 900; ++i)
    rows.push_back({i, std::string(100, 'x')}); // enough to fill buffers before the invalid row
  rows.push_back({900, std::string("a\0b", 3)});
  EXPECT_THROW(write(bulk_mode::insert, rows), store::constraint_violated);
  EXPECT_TRUE(stored().empty());
  write(bulk_mode::insert, {{1, "the session still works"}});
  EXPECT_EQ(stored().size(), 1U);
}

TEST_P(BulkWriter, SkipsExistingRows) {
  write(bulk_mode::insert, {{1, "old"}});
  write(bulk_mode::insert_new, {{1, "new"}, {2, "new"}});
  EXPECT_EQ(written, 1);
  EXPECT_EQ(stored(), (std::vector<std::optional<std::string>>{"old", "new"}));
}

TEST_P(BulkWriter, RejectsNewRowsThatConflictInAnythingButTheirKey) {
  session().internals().script("unique_words", "create unique index bulk_notes_words on bulk_notes (words)");
  write(bulk_mode::insert, {{1, "taken"}});
  write(bulk_mode::insert_new, {{1, "taken"}});
  EXPECT_EQ(written, 0);
  EXPECT_THROW(write(bulk_mode::insert_new, {{2, "free"}, {3, "taken"}}), store::constraint_violated);
  EXPECT_EQ(stored().size(), 1U);
}

TEST_P(BulkWriter, UpdatesOnlyRowsThatDiffer) {
  write(bulk_mode::insert, {{1, "same"}, {2, "old"}, {3, std::nullopt}});
  write(bulk_mode::update_changed, {{1, "same"}, {2, "new"}, {3, std::nullopt}, {4, "missing"}});
  EXPECT_EQ(written, 1);
  EXPECT_EQ(stored(), (std::vector<std::optional<std::string>>{"same", "new", std::nullopt}));
}

struct everything {
  std::optional<domain::uuid> id;
  std::optional<std::string> words;
  std::optional<bool> flag;
  std::optional<int> small;
  std::optional<std::int64_t> large;
  std::optional<double> ratio;
  std::optional<domain::date> day;
  std::optional<domain::timestamp> moment;
  std::optional<std::string> plain, parsed;
};
constexpr auto columns_of_everything = store::columns(
    store::column("id", &everything::id).key(), store::column("words", &everything::words).key(),
    store::column("flag", &everything::flag), store::column("small", &everything::small),
    store::column("large", &everything::large), store::column("ratio", &everything::ratio),
    store::column("day", &everything::day), store::column("moment", &everything::moment),
    store::column("plain", &everything::plain).of_type("json"),
    store::column("parsed", &everything::parsed).of_type("jsonb"));
const auto one_of_each = store::table_of<columns_of_everything>("one_of_each");
const auto new_of_each = store::table_of<columns_of_everything>("new_of_each"); ///< with a key

class BulkWriterOfPostgresql : public on_each_store {
protected:
  void SetUp() override {
    session().internals().script(
        "test_table",
        "create table one_of_each (id uuid, words text, flag boolean, small integer, large bigint,"
        " ratio double precision, day date, moment timestamptz, plain json, parsed jsonb);"
        "create table new_of_each (like one_of_each, unique (id, words))");
  }

  /// Inserts the row on its own, twice (as a copy), and in the mode that skips existing rows.
  void insert(const everything& row) {
    for (const auto& [mode, times] :
         {std::pair{bulk_mode::insert, 1}, {bulk_mode::insert, 2}, {bulk_mode::insert_new, 1}}) {
      store::transaction txn(session(), store::transaction::purpose::write);
      store::bulk_writer writer(session(), mode == bulk_mode::insert_new ? new_of_each : one_of_each, mode);
      for (int i = 0; i < times; ++i) writer.add(row);
      EXPECT_EQ(writer.finish(), times);
      txn.commit();
    }
  }

  /// Returns the distinct rows in PostgreSQL's text form.
  std::vector<std::string> stored() {
    return session().internals().read_all(store::selection{
        "test_rows",
        "select {columns} from (select * from one_of_each union all select * from new_of_each) t"
        " order by 1",
        store::named<std::string>("distinct row(t.*)::text")});
  }
};
ROOST_ON_POSTGRESQL(BulkWriterOfPostgresql);

TEST_P(BulkWriterOfPostgresql, SendsTheSameValuesInACopyAsInArrays) {
  using namespace std::chrono_literals;
  const auto id = *domain::parse_uuid("0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001");
  insert({id, "a", true, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int64_t>::max(),
          0.1, *domain::parse_date("1999-12-31"), *domain::parse_timestamp("1969-12-31T23:59:59.999Z"),
          "{\"a\": 1}", "[1, 2]"});
  insert({id, "b", false, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int64_t>::min(),
          -1e300, *domain::parse_date("9999-12-31"), *domain::parse_timestamp("2026-11-20T09:30:00.123Z"),
          "null", "{}"});
  insert({});
  EXPECT_EQ(
      stored(),
      (std::vector<std::string>{
          "(,,,,,,,,,)",
          "(0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001,a,t,-2147483648,9223372036854775807,0.1,1999-12-31,"
          "\"1969-12-31 23:59:59.999+00\",\"{\"\"a\"\": 1}\",\"[1, 2]\")",
          "(0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001,b,f,2147483647,-9223372036854775808,-1e+300,9999-12-31,"
          "\"2026-11-20 09:30:00.123+00\",null,{})"}));
}

TEST_P(BulkWriterOfPostgresql, RejectsACellThatIsInvalidForItsColumnType) {
  static constexpr auto columns = store::columns(store::column("words", &note::words).of_type("uuid"));
  const auto mistyped = store::table_of<columns>("one_of_each");
  for (const int rows : {1, 2}) {
    store::transaction txn(session(), store::transaction::purpose::write);
    store::bulk_writer writer(session(), mistyped, bulk_mode::insert);
    for (int i = 0; i < rows; ++i) writer.add({1, "no id"});
    EXPECT_THROW(writer.finish(), store::constraint_violated) << rows;
  }
}

TEST_P(BulkWriterOfPostgresql, RejectsACopyOfAColumnWithAnUnknownType) {
  static constexpr auto columns = store::columns(store::column("large", &note::id).of_type("numeric"));
  const auto unknown = store::table_of<columns>("one_of_each");
  store::transaction txn(session(), store::transaction::purpose::write);
  store::bulk_writer writer(session(), unknown, bulk_mode::insert);
  writer.add({1, {}});
  writer.add({2, {}});
  EXPECT_THROW(writer.finish(), store::failure);
}

} // namespace roost::testing::bulk_test
