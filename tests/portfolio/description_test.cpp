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
  EXPECT_TRUE(member_of(schema, "internalName").said.required);
  EXPECT_EQ(member_of(schema, "internalName").said.max_length, 256);
  const auto capacity = member_of(schema, "capacity").said;
  EXPECT_FALSE(capacity.required);
  EXPECT_EQ(capacity.minimum, 1);
  EXPECT_EQ(capacity.maximum, domain::largest_capacity);
  EXPECT_FALSE(capacity.nullable);
  EXPECT_TRUE(member_of(schema, "localRentCap").said.nullable);
  EXPECT_EQ(member_of(schema, "kind").said.names.size(), 3u);
}

TEST(Description, IncludesTheSchemasOfInnerObjects) {
  const auto schema = json::schema_of(objects::unit_object);
  const auto rent = member_of(schema, "rent");
  EXPECT_FALSE(member_of(rent, "amount").said.required);
  const auto months = member_of(rent, "perMonth");
  EXPECT_EQ(months.said.type, "array");
  ASSERT_EQ(months.items.size(), 1u);
  EXPECT_EQ(member_of(months.items[0], "month").said.maximum, 12);
}

} // namespace roost::portfolio::description_test
