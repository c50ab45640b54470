#include "store/database/bulk.hpp"
#include "store/database/error.hpp"
#include "store/database/transaction.hpp"
#include "support/store.hpp"

#include <limits>

namespace roost::testing::round_trip_test {
using store::bulk_mode;
using store::column;

enum class color { red, green };

constexpr std::array<std::string_view, 2> color_names{"red", "green"};
constexpr const auto& names_of(color) { return color_names; }

struct inner {
  domain::nights nights;
  std::optional<double> ratio;

  friend bool operator==(const inner&, const inner&) = default;
};

/// A column of each type, some of them twice to detect swapped columns.
struct everything {
  domain::uuid id{}, other{};
  std::optional<domain::uuid> maybe;
  std::string words;
  std::optional<std::string> note;
  domain::boxed_text host;
  bool flag = false;
  int small = 0;
  unsigned month = 0;
  std::int64_t large = 0;
  std::optional<int> limit;
  domain::money price;
  std::optional<domain::money> cap;
  inner part;
  domain::timestamp created_at{};
  std::optional<domain::timestamp> ended;
  color paint = color::red;
  std::string json;

  friend bool operator==(const everything&, const everything&) = default;
};

constexpr auto inner_columns =
    store::columns(column("first_night", &inner::nights, &domain::nights::first),
                   column<store::last_night_format>("last_night", &inner::nights, &domain::nights::last),
                   column("ratio", &inner::ratio));
constexpr auto columns_of_everything = store::columns(
    column("id", &everything::id).key(), column("other", &everything::other),
    column("maybe", &everything::maybe), column("words", &everything::words),
    column("note", &everything::note), column("host", &everything::host), column("flag", &everything::flag),
    column("small", &everything::small), column("month", &everything::month),
    column("large", &everything::large), column("lim", &everything::limit),
    column("price_cents", &everything::price), column("cap_cents", &everything::cap),
    store::nested(&everything::part, inner_columns), column("made_at", &everything::created_at).origin(),
    column("ended_at", &everything::ended).stamp(), column("paint", &everything::paint),
    column("data", &everything::json).of_type("jsonb"));

const auto table = store::table_of<columns_of_everything>("everything");
const store::selection all{"all_everything", "select {columns} from everything e order by e.words",
                           columns_of_everything.of("e")};

class RoundTrip : public on_each_store {
protected:
  void SetUp() override {
    session().internals().script(
        "test_table",
        session().is_sqlite()
            ? "create table everything (id text primary key, other text, maybe text, words text, note text,"
              " host text, flag integer, small integer, month integer, large integer, lim integer,"
              " price_cents integer, cap_cents integer, first_night text, last_night text, ratio real,"
              " made_at text, ended_at text, paint text, data text)"
            : "create table everything (id uuid primary key, other uuid, maybe uuid, words text, note text,"
              " host text, flag boolean, small integer, month integer, large bigint, lim integer,"
              " price_cents bigint, cap_cents bigint, first_night date, last_night date,"
              " ratio double precision, made_at timestamptz, ended_at timestamptz, paint text, data jsonb)");
  }

  void write(bulk_mode mode, const std::vector<everything>& rows) {
    store::transaction txn(session(), store::transaction::purpose::write);
    store::bulk_writer writer(session(), table, mode);
    for (const auto& each : rows) writer.add(each);
    written = writer.finish();
    txn.commit();
  }

  std::vector<everything> stored() { return session().internals().read_all(all); }

  std::int64_t written = 0;
};
ROOST_ON_EACH_STORE(RoundTrip);

domain::uuid id(char last) {
  return *domain::parse_uuid(std::string("0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f000") + last);
}

everything full() {
  everything row;
  row.id = id('1');
  row.other = id('2');
  row.maybe = id('3');
  row.words = "a \"quoted\", Łódź";
  row.note = "";
  row.host = std::string_view("host.example");
  row.flag = true;
  row.small = std::numeric_limits<int>::min();
  row.month = 12;
  row.large = std::numeric_limits<std::int64_t>::max();
  row.limit = 0;
  row.price = {65'050};
  row.cap = domain::money{0};
  row.part = {{*domain::parse_date("2027-05-01"), *domain::parse_date("2027-05-31")}, 0.1};
  row.created_at = *domain::parse_timestamp("1969-12-31T23:59:59.999Z");
  row.ended = *domain::parse_timestamp("2026-11-20T09:30:00.123Z");
  row.paint = color::green;
  row.json = "{\"a\": 1}";
  return row;
}

everything bare() {
  everything row;
  row.id = id('4');
  row.words = "b";
  row.part.nights.last = domain::no_end;
  row.json = "[]";
  return row;
}

TEST_P(RoundTrip, ReadsInsertedRows) {
  for (const auto mode : {bulk_mode::insert, bulk_mode::insert_new}) {
    write(mode, {full(), bare()});
    EXPECT_EQ(stored(), (std::vector{full(), bare()}));
    write(bulk_mode::erase, {full(), bare()});
    EXPECT_TRUE(stored().empty());
  }
}

TEST_P(RoundTrip, ReadsARowInsertedOnItsOwn) {
  store::insert_row(session(), table, full());
  EXPECT_EQ(stored(), std::vector{full()});
}

TEST_P(RoundTrip, UpdatesStampsOnlyWithValuesAndOriginsNever) {
  write(bulk_mode::insert, {full()});
  auto changed = full();
  changed.created_at += std::chrono::hours{1}; // an origin
  changed.ended.reset();                       // a stamp
  write(bulk_mode::update_changed, {changed});
  EXPECT_EQ(written, 0);
  EXPECT_EQ(stored(), std::vector{full()});
  changed.part.nights.last = domain::no_end;
  write(bulk_mode::update_changed, {changed});
  EXPECT_EQ(written, 1);
  changed.created_at = full().created_at;
  EXPECT_EQ(stored(), std::vector{changed});
}

TEST_P(RoundTrip, RejectsUnknownWordsAndNulls) {
  write(bulk_mode::insert, {full()});
  session().internals().script("blue", "update everything set paint = 'blue'");
  EXPECT_THROW(stored(), store::failure);
  session().internals().script("null", "update everything set paint = null");
  EXPECT_THROW(stored(), store::failure);
}

} // namespace roost::testing::round_trip_test
