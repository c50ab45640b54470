#include "store/bulk.hpp"
#include "store/error.hpp"
#include "store/transaction.hpp"
#include "support/store.hpp"

namespace roost::testing {
namespace {

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

} // namespace
} // namespace roost::testing
