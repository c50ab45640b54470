#include "store/database/bulk.hpp"
#include "store/database/columns.hpp"
#include "store/database/error.hpp"

#include <gmock/gmock.h>

namespace roost::testing::columns_test {
using store::column;
using store::column_role;
using store::columns;
using store::named;
using ::testing::HasSubstr;
using texts = std::vector<std::optional<std::string>>;

struct place {
  std::string street;
  std::optional<std::string> floor;
};
struct house {
  domain::uuid id{}, owner{};
  place address;
  domain::money rent;
  domain::nights nights;
  const place* elsewhere = nullptr;
};

constexpr auto place_columns = columns(column("street", &place::street), column("floor", &place::floor));
constexpr auto house_columns =
    columns(column("id", &house::id).key(), column("owner_id", &house::owner).origin(),
            store::nested(&house::address, place_columns), column("rent_cents", &house::rent),
            column<store::last_night_format>("last_night", &house::nights, &domain::nights::last).stamp());

const auto first = *domain::parse_uuid("00000000-0000-4000-8000-000000000001");
const auto second = *domain::parse_uuid("00000000-0000-4000-8000-000000000002");

/// A row like that of a statement.
class row_of {
public:
  explicit row_of(const texts& cells) {
    for (const auto& cell : cells) {
      values_.push_back(cell.value_or("stale value of the previous row"));
      indicators_.push_back(cell ? soci::i_ok : soci::i_null);
    }
  }
  store::row get() const { return {values_, indicators_}; }

private:
  std::vector<std::string> values_;
  std::vector<soci::indicator> indicators_;
};

template <typename Part>
auto read(const Part& part, const texts& cells) {
  return part.read(row_of(cells).get(), 0);
}

template <typename Part>
std::string error_of(const Part& part, const texts& cells) {
  try {
    read(part, cells);
  } catch (const store::failure& error) {
    return error.what();
  }
  return "none";
}

texts cells_of(const store::cell_rows& rows) {
  texts cells;
  for (std::size_t i = 0; i < rows.cells().size(); ++i) {
    const auto cell = rows.cells()[i];
    cells.push_back(cell ? std::optional<std::string>(*cell) : std::nullopt);
  }
  return cells;
}

TEST(Columns, AreNamedInDescriptionOrder) {
  EXPECT_EQ(names_of(house_columns), "id, owner_id, street, floor, rent_cents, last_night");
}

TEST(Columns, AreNamedWithTheirTableAlias) {
  EXPECT_EQ(names_of(place_columns.of("p")), "p.street, p.floor");
}

TEST(Columns, KeepTheirOwnAlias) {
  constexpr auto mixed =
      columns(column("id", &house::id), store::nested(&house::address, place_columns.of("p")));
  EXPECT_EQ(names_of(mixed.of("h")), "h.id, p.street, p.floor");
}

TEST(Columns, ReadEachMemberFromItsColumn) {
  const auto read_house = read(house_columns, {domain::to_string(first), domain::to_string(second), "Main",
                                               "2", "65000", "2027-05-31"});
  EXPECT_EQ(read_house.id, first);
  EXPECT_EQ(read_house.owner, second);
  EXPECT_EQ(read_house.address.street, "Main");
  EXPECT_EQ(read_house.address.floor, "2");
  EXPECT_EQ(read_house.rent, domain::money{65'000});
  EXPECT_EQ(read_house.nights.last, *domain::parse_date("2027-05-31"));
}

TEST(Columns, AcceptNullOnlyForOptionalMembers) {
  const texts row{
      domain::to_string(first), domain::to_string(second), "Main", std::nullopt, "0", std::nullopt};
  const auto read_house = read(house_columns, row);
  EXPECT_FALSE(read_house.address.floor);
  EXPECT_EQ(read_house.nights.last, domain::no_end);
  for (const std::size_t required : {0U, 1U, 2U, 4U}) {
    auto without = row;
    without[required].reset();
    EXPECT_THAT(error_of(house_columns, without), HasSubstr("is NULL")) << required;
  }
}

TEST(Columns, NameTheColumnWithAnInvalidValue) {
  EXPECT_THAT(error_of(house_columns, {domain::to_string(first), "no id", "Main", "2", "0", "2027-05-31"}),
              HasSubstr("column owner_id holds an invalid value"));
  EXPECT_THAT(error_of(place_columns, {std::nullopt, "2"}), HasSubstr("column street is NULL"));
}

template <typename Value>
std::string error_of_text(const char* text) {
  return error_of(named<Value>("value"), {text});
}

TEST(Columns, RejectInvalidText) {
  for (const auto& error :
       {error_of_text<int>("12x"), error_of_text<int>(""), error_of_text<int>("3000000000"),
        error_of_text<unsigned>("-1"), error_of_text<std::int64_t>("1.5"), error_of_text<double>("."),
        error_of_text<bool>("yes"), error_of_text<domain::money>("6.50"), error_of_text<domain::uuid>("1"),
        error_of_text<domain::date>("2027-02-30"), error_of_text<domain::timestamp>("noon"),
        error_of_text<std::optional<int>>("none")})
    EXPECT_THAT(error, HasSubstr("holds an invalid value"));
}

TEST(Columns, ReadTheFlagsOfBothDatabases) {
  for (const auto* yes : {"1", "t"}) EXPECT_TRUE(read(named<bool>("flag"), {yes}));
  for (const auto* no : {"0", "f"}) EXPECT_FALSE(read(named<bool>("flag"), {no}));
}

TEST(Columns, AreNulloptInAnOuterJoinIfTheFirstIsNull) {
  const store::joined joined(place_columns);
  EXPECT_EQ(names_of(joined), "street, floor");
  EXPECT_FALSE(read(joined, {std::nullopt, std::nullopt}));
  EXPECT_EQ(read(joined, {"Main", std::nullopt})->street, "Main");
}

TEST(Columns, MustHaveTheSameMembersInTheSameOrderInAUnion) {
  static_assert(
      same_members(place_columns, columns(column("'a'", &place::street), column("b", &place::floor))));
  static_assert(!same_members(place_columns,
                              columns(column("floor", &place::floor), column("street", &place::street))));
  static_assert(!same_members(place_columns, columns(column("street", &place::street))));
  constexpr auto ids = columns(column("id", &house::id), column("owner_id", &house::owner));
  EXPECT_FALSE(same_members(ids, columns(column("id", &house::owner), column("owner_id", &house::id))));
}

TEST(Tables, UseTheNamesTypesAndRolesOfTheDescription) {
  const auto table = store::table_of<house_columns>("houses");
  std::vector<std::string> described;
  for (const auto& each : table.columns) described.push_back(std::string(each.name) + ' ' + each.type);
  EXPECT_THAT(described, ::testing::ElementsAre("id uuid", "owner_id uuid", "street text", "floor text",
                                                "rent_cents bigint", "last_night date"));
  using enum column_role;
  std::vector<column_role> roles;
  for (const auto& each : table.columns) roles.push_back(each.role);
  EXPECT_THAT(roles, ::testing::ElementsAre(key, origin, value, value, value, stamp));
}

TEST(Tables, CreateACellForEachMemberInOrder) {
  const auto table = store::table_of<house_columns>("houses");
  store::bulk_rows rows(table);
  rows.add({first, second, {"Main", {}}, {65'000}, {{}, domain::no_end}});
  EXPECT_EQ(cells_of(rows), (texts{domain::to_string(first), domain::to_string(second), "Main", std::nullopt,
                                   "65000", std::nullopt}));
}

constexpr auto elsewhere_columns =
    columns(column("id", &house::id).key(), store::nested(&house::elsewhere, place_columns));

TEST(Tables, FollowPointersToMembers) {
  const auto table = store::table_of<elsewhere_columns>("houses");
  const place there{"Side", "1"};
  house row;
  row.elsewhere = &there;
  store::bulk_rows rows(table);
  rows.add(row);
  EXPECT_EQ(cells_of(rows), (texts{domain::to_string(domain::uuid{}), "Side", "1"}));
}

TEST(Tables, ReadOnlySelectedMembers) {
  const auto table = store::table_of<elsewhere_columns>("houses");
  store::cell_list cells;
  table.append(cells, house{}, store::column_set{1}); // only the key: the pointer is null
  EXPECT_EQ(cells.size(), 1U);
}

TEST(Selections, InsertTheirColumnsIntoTheText) {
  const store::selection houses{"houses", "select {columns} from houses h where h.id in {ids uuid}",
                                named<std::string>("h.name"), place_columns.of("h")};
  EXPECT_STREQ(houses.as_query().text,
               "select h.name, h.street, h.floor from houses h where h.id in {ids uuid}");
  EXPECT_EQ(houses.as_query().columns, 3);
  EXPECT_EQ(houses.as_query().sqlite_text, nullptr);
}

TEST(Selections, InsertTheirColumnsIntoTheTextOfEachDatabase) {
  const store::selection houses{
      "houses", {"select {columns} from a", "select {columns} from b"}, place_columns};
  EXPECT_STREQ(houses.as_query().text, "select street, floor from a");
  EXPECT_STREQ(houses.as_query().sqlite_text, "select street, floor from b");
}

TEST(Selections, RejectATextWithoutAPlaceholder) {
  EXPECT_THROW(store::selection("houses", "select street from houses", named<std::string>("street")),
               store::failure);
}

TEST(Selections, PassAValueForEachPart) {
  const store::selection parts{"parts", "select {columns}", named<std::int64_t>("seq"), house_columns,
                               named<std::optional<domain::uuid>>("account_id")};
  const row_of cells({"7", domain::to_string(first), domain::to_string(second), "Main", "2", "1",
                      "2027-05-31", domain::to_string(second)});
  int calls = 0;
  const auto each = [&](std::int64_t seq, const house& read, const std::optional<domain::uuid>& account) {
    ++calls;
    EXPECT_EQ(seq, 7);
    EXPECT_EQ(read.id, first);
    EXPECT_EQ(read.address.street, "Main");
    EXPECT_EQ(account, second);
  };
  parts.pass(cells.get(), each);
  EXPECT_EQ(calls, 1);
}

// Mismatched types do not compile.

struct unknown {};
struct unsupported {
  unknown value;
  std::string_view borrowed;
};
template <typename Member>
concept describable = requires(Member member) {
  column("name", member);
};
static_assert(describable<decltype(&house::id)>);
static_assert(!describable<decltype(&unsupported::value)>, "no column holds a value of that type");

template <typename Value>
concept readable = requires {
  named<Value>("name");
};
static_assert(readable<std::string>);
static_assert(!readable<std::string_view>, "the text would have no owner");
static_assert(!readable<unknown>);

template <typename Row>
concept row_of_houses = requires(store::bulk_rows<house>& rows, const Row& row) {
  rows.add(row);
};
static_assert(row_of_houses<house>);
static_assert(!row_of_houses<place>);

template <typename Each>
concept takes_places =
    requires(store::session::connection& db, Each each,
             const store::selection<std::remove_const_t<decltype(place_columns)>>& places) {
  db.read(places, {}, each);
};
static_assert(takes_places<void (*)(const place&)>);
static_assert(!takes_places<void (*)(const house&)>);
static_assert(!takes_places<void (*)(const place&, int)>);

} // namespace roost::testing::columns_test
