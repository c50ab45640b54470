#include "http/json/body.hpp"
#include "http/support/refusal.hpp"

#include <gtest/gtest.h>

#include <map>

/// Reads a sample body by its description.
namespace roost::http::testing::body_test {

struct buyer {
  std::optional<std::string> name, phone;
};

struct order_line {
  std::optional<int> number;
  std::optional<domain::money> price;
};

struct order {
  std::string id;
  std::optional<std::string> note;
  std::optional<domain::date> day;
  int copies = 1;
  bool is_gift = false;
  std::optional<domain::money> total;
  std::optional<double> weight;
  std::optional<std::string> code;
  std::optional<http::testing::body_test::buyer> buyer;
  std::map<int, domain::money> lines;
};

constexpr auto buyer_body =
    json::object<buyer>("", field("name", kind::column_text{5, true}, &buyer::name, "Who buys"),
                        field("phone", kind::column_text{3}, &buyer::phone, "Any form"));

constexpr auto line_body =
    json::object<order_line>("OrderLine", field("number", kind::whole{1, 9}, &order_line::number, "1 to 9"),
                             field("price", kind::amount{}, &order_line::price, "In euros"))
        .closed();

constexpr auto add_line = [](order& to, order_line sent, object_reader& row) {
  if (!sent.number || !sent.price) return;
  if (!to.lines.emplace(*sent.number, *sent.price).second) row.refuse("number must be unique");
};

constexpr auto order_body =
    json::object<order>(
        "Order", field("id", kind::line{4, kind::filled::not_blank}, &order::id, "Its ID"),
        field("note", kind::text{}, &order::note, "A note", json::optional),
        field("day", kind::day{}, &order::day, "When"),
        field("copies", kind::count{1, 9}, &order::copies, "How many", json::optional, json::initially{"1"}),
        field("gift", kind::flag{}, &order::is_gift, "Whether it is a gift", json::optional),
        field("total", kind::amount{}, &order::total, "In euros", json::optional),
        field("weight", kind::number{}, &order::weight, "In kilograms", json::optional, json::nullable),
        field("code", kind::identifier{}, &order::code, "A code", json::optional),
        field("unused", kind::text{}, ignored, "Not saved", json::optional),
        field("photo", kind::anything{}, ignored, "Not saved", json::optional),
        object_field(
            "buyer", buyer_body, [](order& to, std::optional<buyer> sent) { to.buyer = std::move(sent); },
            object_refusal{"must be a non-empty object", true}, "Who buys"),
        object_field("guest", buyer_body, ignored, object_refusal{"must be an object"}, "Who comes",
                     json::optional),
        rows_field("lines", line_body, add_line, "The lines", json::max_items{2}, json::optional))
        .closed();

order read(std::string text) { return read_body(text, order_body); }

std::string refusal(std::string text) {
  return refusal_of([](std::string& body) { read_body(body, order_body); }, std::move(text));
}

/// Returns a valid body with more members.
std::string body_with(const std::string& more) {
  return R"({"id":"a1","day":"2026-11-20","buyer":{"name":"Ada"})" + (more.empty() ? "" : "," + more) + "}";
}

TEST(DescribedBody, IsReadIntoItsTarget) {
  const auto result =
      read(body_with(R"("note":"n","copies":3,"gift":true,"total":1.5,"weight":2.5,"code":7,"photo":[{}],)"
                     R"("lines":[{"number":1,"price":2},{"number":2,"price":0.1}])"));
  EXPECT_EQ(result.id, "a1");
  EXPECT_EQ(result.note, "n");
  EXPECT_EQ(domain::to_string(result.day.value()), "2026-11-20");
  EXPECT_EQ(result.copies, 3);
  EXPECT_TRUE(result.is_gift);
  EXPECT_EQ(result.total, domain::money{150});
  EXPECT_EQ(result.weight, 2.5);
  EXPECT_EQ(result.code, "7");
  EXPECT_EQ(result.buyer.value().name, "Ada");
  EXPECT_EQ(result.lines, (std::map<int, domain::money>{{1, {200}}, {2, {10}}}));
}

TEST(DescribedBody, KeepsTheTargetsDefaultsForMissingAndNullFields) {
  for (const auto* more : {"", R"("note":null,"copies":null,"gift":null,"lines":null,"weight":null)"}) {
    const auto result = read(body_with(more));
    EXPECT_EQ(result.note, std::nullopt);
    EXPECT_EQ(result.copies, 1);
    EXPECT_FALSE(result.is_gift);
    EXPECT_TRUE(result.lines.empty());
  }
}

TEST(DescribedBody, IsRefusedWithUnknownKeysFirstAndThenItsFieldsInOrder) {
  EXPECT_EQ(
      refusal(R"({"z":1,"lines":7,"guest":[],"buyer":{},"unused":1,"code":true,"weight":"x","total":-1,)"
              R"("gift":0,"copies":0,"day":"20 May","note":[],"id":7})"),
      "property z should not exist, id must be a string, note must be a string, "
      "day must be a valid ISO 8601 date string, copies must not be less than 1, "
      "gift must be a boolean value, total must not be less than 0, "
      "weight must be a number conforming to the specified constraints, "
      "code must be a string or a number, unused must be a string, buyer must be a non-empty object, "
      "guest must be an object, lines must be an array");
}

TEST(DescribedBody, IsRefusedWithoutRequiredFields) {
  EXPECT_EQ(refusal("{}"), "id must be a string, day must be a valid ISO 8601 date string, "
                           "buyer must be a non-empty object");
  EXPECT_EQ(refusal(R"({"id":" ","day":"2026-11-20","buyer":{"name":"Ada"}})"), "id must be a string");
}

TEST(DescribedBody, IsRefusedForValuesThatNoColumnHolds) {
  EXPECT_EQ(refusal(R"({"id":"12345","day":"2026-11-20","buyer":{"name":"Ada"}})"),
            "A value is too long for its field.");
  EXPECT_EQ(refusal(R"({"id":"a","day":"2026-11-20","buyer":{"name":""}})"), "A required value is missing.");
  EXPECT_EQ(refusal(R"({"id":"a","day":"2026-11-20","buyer":{"name":"Ada","phone":"1234"}})"),
            "A value is too long for its field.");
  EXPECT_EQ(refusal(body_with(R"("copies":10)")), "A numeric value is out of range.");
  EXPECT_EQ(refusal(body_with(R"("copies":1.5)")), "A value has an invalid format.");
}

TEST(DescribedBody, IsRefusedWithThePositionOfARow) {
  EXPECT_EQ(refusal(body_with(R"("lines":[{"number":10,"price":1,"x":1},{"number":2,"price":"3"}])")),
            "lines.0.property x should not exist, lines.0.number must not be greater than 9, "
            "lines.1.price must not be less than 0, "
            "lines.1.price must be a number conforming to the specified constraints");
  EXPECT_EQ(refusal(body_with(R"("lines":[{"number":1,"price":1},{"number":1,"price":2}])")),
            "lines.1.number must be unique");
  EXPECT_EQ(
      refusal(body_with(R"("lines":[{"number":1,"price":1},{"number":2,"price":2},{"number":3,"price":3}])")),
      "lines must contain no more than 2 elements");
}

TEST(DescribedBody, HasASchema) {
  json::schemas all;
  all.add(order_body);
  const auto text = all.text();
  for (const auto* part :
       {R"({"Order":{"type":"object",)",
        R"("id":{"type":"string","minLength":1,"maxLength":4,"description":"Its ID"})",
        R"("copies":{"type":"integer","minimum":1,"maximum":9,"default":1,)",
        R"("total":{"type":"number","minimum":0,"exclusiveMaximum":100000000,)",
        R"("weight":{"type":["number","null"],)", R"("code":{"type":["string","number"],)",
        R"("photo":{"description":"Not saved"})",
        R"("buyer":{"type":"object","properties":{"name":{"type":"string","minLength":1,"maxLength":5,)",
        R"("phone":{"type":["string","null"],"maxLength":3,)",
        R"("lines":{"type":"array","maxItems":2,"items":{"$ref":"#/components/schemas/OrderLine"},)",
        R"("required":["id","day","buyer"],"additionalProperties":false}})"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
}

} // namespace roost::http::testing::body_test
