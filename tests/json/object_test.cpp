#include "json/object.hpp"
#include "support/values.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

/// Tests with the object of an invented shop.
namespace roost::json::object_test {

using domain::date, domain::decimal, domain::money, domain::operator""_at, domain::operator""_cents,
    domain::operator""_date, domain::parse_decimal, domain::parse_uuid, domain::timestamp, domain::uuid;

enum class size { small, large };
constexpr std::array<std::string_view, 2> size_names{"small", "large"};
constexpr const auto& names_of(size) { return size_names; }

struct price_line {
  std::string label;
  money price;
};

struct maker {
  std::string name;
  std::optional<std::string> town;
};

struct article {
  uuid id = parse_uuid("0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001").value();
  std::string name = R"(a "lamp")";
  size measure = size::large;
  std::optional<size> packed;
  money price = 99'50_cents;
  decimal weight = parse_decimal("1.250").value();
  date since = "2026-11-20"_date;
  timestamp changed = "2026-11-20T09:30:00.000Z"_at;
  bool sold_out = false;
  std::optional<int> stock;
  std::map<std::string, std::string> title{{"en", "Lamp"}, {"es", "L\"ampara"}};
  std::vector<std::string> tags{"light", "warm"};
  std::vector<price_line> lines{{"lamp", 90'00_cents}, {"bulb", 9'50_cents}};
  std::optional<maker> made_by;
  bool is_public = true;
};

constexpr auto line_object =
    object<price_line>("PriceLine", member("label", &price_line::label, "What is charged"),
                       member("price", &price_line::price, "How much, in euros", minimum{0}));

constexpr auto maker_object = object<maker>("", member("name", &maker::name, "The company"),
                                            member("town", &maker::town, "Where; null: unknown"));

constexpr auto history = object<article>("", member("since", &article::since, "First day of sale"),
                                         member("changed", &article::changed, "Last change"));

constexpr auto itself = [](const article& article) -> const auto& { return article; };

constexpr auto article_object =
    object<article>(
        "Article", member("id", &article::id, "Its ID"), member("name", &article::name, "Its name"),
        member("measure", &article::measure, "How large"), member("packed", &article::packed, "Packed size"),
        member(
            "price", [](const article& article) { return article.price + money{50}; }, "With fee, in euros",
            minimum{0}, maximum{1000}),
        member("weight", &article::weight, "In kilograms"), included(itself, history),
        member("soldOut", &article::sold_out, "Whether none is left"),
        member("stock", &article::stock, "How many; null: unknown"),
        member("title", &article::title, "By language", refers_to{"Texts"}),
        values<std::string>(
            "tags",
            [](const article& article, auto yield) {
              for (const auto& each : article.tags)
                if (each != "warm") yield(each);
            },
            "Tags", format{"word"}),
        list("lines", &article::lines, line_object, "What the price is made of"),
        part("madeBy", &article::made_by, maker_object, "The maker; null: unknown"),
        member(
            "secret", [](const article&) { return 7; }, "Private ones only",
            only_where{[](const article& article) { return !article.is_public; }}),
        member(
            "reserved", [](const article&) { return nullptr; }, "Always null"),
        member(
            "raw", [](const article&) { return json_text{"[1]"}; }, "Any", of_type{"array"}),
        written(
            "flags", [](writer& json, const article&) { json.raw(R"({"a":true})"); }, "Flags",
            members_are{R"({"type":"boolean"})"}))
        .means("Something to buy")
        .closed()
        .example(R"({"id":1})")
        .example(R"({"id":2})");

std::string schema_text() {
  schemas all;
  all.add(article_object);
  return all.text();
}

TEST(DescribedObject, WritesMembersOfAllTypesInOrder) {
  EXPECT_EQ(
      text_of(article_object, article{}),
      R"({"id":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001","name":"a \"lamp\"","measure":"large","packed":null,)"
      R"("price":100,"weight":1.25,"since":"2026-11-20","changed":"2026-11-20T09:30:00.000Z",)"
      R"("soldOut":false,"stock":null,"title":{"en":"Lamp","es":"L\"ampara"},"tags":["light"],)"
      R"("lines":[{"label":"lamp","price":90},{"label":"bulb","price":9.5}],"madeBy":null,"reserved":null,)"
      R"("raw":[1],"flags":{"a":true}})");
}

TEST(DescribedObject, WritesConditionalMembers) {
  article full;
  full.is_public = false;
  full.stock = 3;
  full.packed = size::small;
  full.made_by = maker{"Lux", "Graz"};
  full.lines.clear();
  const auto text = text_of(article_object, full);
  for (const auto* part : {R"("packed":"small")", R"("stock":3)", R"("lines":[],)",
                           R"("madeBy":{"name":"Lux","town":"Graz"},"secret":7,)"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
}

TEST(DescribedObject, HasASchemaWithTypesRulesAndMeanings) {
  const auto text = schema_text();
  for (const auto* part :
       {R"({"Article":{"type":"object",)", R"("id":{"type":"string","format":"uuid","description":"Its ID"})",
        R"("measure":{"type":"string","enum":["small","large"],"description":"How large"})",
        R"("packed":{"type":["string","null"],"enum":["small","large"])",
        R"("price":{"type":"number","minimum":0,"maximum":1000,"description":"With fee, in euros"})",
        R"("weight":{"type":"number")", R"("since":{"type":"string","format":"date",)",
        R"("changed":{"type":"string","format":"date-time",)", R"("soldOut":{"type":"boolean",)",
        R"("stock":{"type":["integer","null"],)",
        R"("title":{"$ref":"#/components/schemas/Texts","description":"By language"})",
        R"("tags":{"type":"array","items":{"type":"string","format":"word"},"description":"Tags"})",
        R"("lines":{"type":"array","items":{"$ref":"#/components/schemas/PriceLine"},)",
        R"("madeBy":{"type":["object","null"],"properties":{"name":)", R"("reserved":{"type":"null",)",
        R"("raw":{"type":"array",)", R"("flags":{"type":"object","additionalProperties":{"type":"boolean"},)",
        R"("additionalProperties":false,"examples":[{"id":1},{"id":2}],"description":"Something to buy"}})"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
}

TEST(DescribedObject, RequiresAllMembersInItsSchemaExceptThoseOfACondition) {
  EXPECT_NE(
      schema_text().find(
          R"("required":["id","name","measure","packed","price","weight","since","changed","soldOut","stock",)"
          R"("title","tags","lines","madeBy","reserved","raw","flags"])"),
      std::string::npos)
      << schema_text();
}

TEST(DescribedObject, DoesNotRequireAnArrayOfACondition) {
  static constexpr auto conditional = object<article>(
      "Tagged", values<std::string>("tags", &article::tags, "Tags",
                                    only_where{[](const article& article) { return article.is_public; }}));
  schemas all;
  all.add(conditional);
  EXPECT_EQ(all.text().find("required"), std::string::npos) << all.text();
}

TEST(DescribedObject, RefersToAnIncludedObjectThatHasASchema) {
  static constexpr auto with_base =
      object<price_line>("Discount",
                         included(
                             [](const price_line& line) -> const auto& { return line; }, line_object),
                         member(
                             "percent", [](const price_line&) { return 5; }, "How much less", optional));
  schemas all;
  all.add(with_base);
  EXPECT_EQ(all.text(), R"({"Discount":{"allOf":[{"$ref":"#/components/schemas/PriceLine"},{"type":"object",)"
                        R"("properties":{"percent":{"type":"integer","description":"How much less"}}}]}})");
  EXPECT_EQ(text_of(with_base, price_line{"lamp", 100_cents}), R"({"label":"lamp","price":1,"percent":5})");
}

TEST(Schemas, MayHaveSchemasOfOtherValues) {
  schemas all;
  const schema limit{{.reference = "Limit"}};
  all.add("Either", schema{.schema_facts = {}, .alternatives = {limit, array_of(limit)}});
  all.add("Limit", schema{{.type = "integer", .minimum = 1, .exclusive_maximum = 9, .initial = "5"}});
  all.add("Id", schema{{.type = "string",
                        .also = "number",
                        .pattern = "^a",
                        .nullable = true,
                        .min_length = 1,
                        .max_length = 2}});
  EXPECT_EQ(all.text(),
            R"({"Either":{"oneOf":[{"$ref":"#/components/schemas/Limit"},)"
            R"({"type":"array","items":{"$ref":"#/components/schemas/Limit"}}]},)"
            R"("Limit":{"type":"integer","minimum":1,"exclusiveMaximum":9,"default":5},)"
            R"("Id":{"type":["string","number","null"],"pattern":"^a","minLength":1,"maxLength":2}})");
}

} // namespace roost::json::object_test
