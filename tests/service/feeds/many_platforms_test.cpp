#include "service/support/partner.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "service/support/workplace.hpp"

#include <gtest/gtest.h>

#include <string>

/// A configuration may name any number of platforms.
namespace roost::testing::many_platforms_test {

ROOST_FOR_SQLITE(ManyPlatforms);

constexpr int platforms = 130;

std::string name_of(int number) { return "p" + std::to_string(number); }

std::string tables() {
  std::string text;
  for (int number = 1; number <= platforms; ++number)
    text += "[[platforms]]\nname = \"" + name_of(number) + "\"\nkind = \"channel-manager\"\nprefix = \"" +
            name_of(number) + "\"\ndomains = [\"" + name_of(number) + ".example\"]\n";
  return text;
}

/// The unit is linked to every platform and excluded from the 66th and from the last one.
std::string linked_unit() {
  std::string links;
  for (int number = 1; number <= platforms; ++number)
    links += (links.empty() ? "" : ",") + std::string(R"({"platform":")") + name_of(number) +
             R"(","externalId":"u1"})";
  return portfolio_of(1, {{account_pointer + "/platformCards", "[]"},
                          {unit_pointer(0) + "/links", "[" + links + "]"},
                          {unit_pointer(0) + "/excludedFrom",
                           R"([")" + name_of(66) + R"(",")" + name_of(platforms) + R"("])"}});
}

TEST_P(ManyPlatforms, EachReadTheirOwnListingsAndExclusions) {
  workplace place(GetParam());
  place.set_tables(tables());
  place.import(linked_unit());
  const running_roost server(place);
  for (const int number : {1, 2, 64, 65, 66, 67, platforms - 1, platforms}) {
    const partner reader(server.port(), name_of(number), place.issue_token(name_of(number)));
    const bool is_excluded = number == 66 || number == platforms;
    EXPECT_EQ(reader.get("/listings/u1").status, is_excluded ? 404U : 200U) << number;
    const auto list = reader.get("/listings").body;
    EXPECT_EQ(list.find(R"("externalId":"u1")") == std::string::npos, is_excluded) << number;
  }
}

} // namespace roost::testing::many_platforms_test
