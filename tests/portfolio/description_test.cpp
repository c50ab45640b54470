#include "portfolio/unit.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace roost::portfolio::description_test {

json::schema member_of(const json::schema& object, std::string_view name) {
  const auto member = std::ranges::find(object.members, name, &json::schema::member);
  return member == object.members.end() ? json::schema{} : *member;
}

TEST(Description, HasASchema) {
  const auto schema = json::schema_of(objects::unit_object);
  EXPECT_TRUE(member_of(schema, "internalName").schema_facts.required);
  EXPECT_EQ(member_of(schema, "internalName").schema_facts.max_length, 256);
  const auto capacity = member_of(schema, "capacity").schema_facts;
  EXPECT_FALSE(capacity.required);
  EXPECT_EQ(capacity.minimum, 1);
  EXPECT_EQ(capacity.maximum, domain::max_capacity);
  EXPECT_FALSE(capacity.nullable);
  EXPECT_TRUE(member_of(schema, "localRentCap").schema_facts.nullable);
  EXPECT_EQ(member_of(schema, "kind").schema_facts.names.size(), 3u);
}

TEST(Description, IncludesTheSchemasOfInnerObjects) {
  const auto schema = json::schema_of(objects::unit_object);
  const auto rent = member_of(schema, "rent");
  EXPECT_FALSE(member_of(rent, "amount").schema_facts.required);
  const auto months = member_of(rent, "perMonth");
  EXPECT_EQ(months.schema_facts.type, "array");
  ASSERT_EQ(months.items.size(), 1u);
  EXPECT_EQ(member_of(months.items[0], "month").schema_facts.maximum, 12);
}

} // namespace roost::portfolio::description_test
