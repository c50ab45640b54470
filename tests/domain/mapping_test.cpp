#include "domain/mapping.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace roost::domain::mapping_test {
platform platform_of(platform_kind kind) {
  return {.name = std::string{to_string(kind)}, .kind = kind, .domains = {"marketplace-a.example"}};
}

std::string read(platform_kind kind, std::string_view url) {
  const auto result = external_id_from_url(platform_of(kind), url);
  if (const auto* id = std::get_if<std::string>(&result)) return *id;
  return "problem: " + std::get<mapping_problem>(result).text;
}

struct url_case {
  platform_kind kind;
  std::string path;
  std::string id;
};

using enum platform_kind;

const std::vector<url_case> mapping_table{
    {marketplace_a, "/rooms/8812?staticId=771", "771"},
    {marketplace_a, "/rooms/8812?lang=en&staticId=77%2B1&x=1#staticId=2", "77+1"},
    {marketplace_a, "/rooms/8812?staticId=7+1", "7 1"},
    {marketplace_a, "/rooms/8812?staticId=", "8812"},
    {marketplace_a, "/rooms/8812?staticid=771", "8812"},
    {marketplace_a, "/rooms/8812?xstaticId=771", "8812"},
    {marketplace_a, "?staticId=771", "771"},
    {marketplace_a, "/rooms/8812/", "8812"},
    {room_sharing, "/es/madrid/4711?staticId=771", "4711"},
    {room_sharing, "/es/madrid/4711#photos/9", "4711"},
    {marketplace_c, "/flat/caf%C3%A9%20sol//", "café sol"},
    {student_housing, "/a/b/./c/../s-19", "s-19"},
    {channel_manager, "/units/U%2F1", "U/1"},
    {single_landlord, "/u/1", "1"},
    {marketplace_b, "/room/551", "551"},
    {marketplace_b, "/en/room/551/madrid-centre?page=2", "551"},
    {marketplace_d, "/house/12/7", "12_7"},
    {marketplace_d, "/house/12/", "12"},
    {marketplace_d, "/es/house/12/7/photos", "12_7"},
    {booking_engine, "/house/P1//R2?from=mail", "P1_R2"},
    {booking_engine, "/house/P1", "P1"}};

TEST(ExternalIdFromUrl, FollowsTheMappingTable) {
  for (const auto& [kind, path, id] : mapping_table)
    EXPECT_EQ(read(kind, "https://marketplace-a.example" + path), id) << to_string(kind) << ' ' << path;
}

TEST(ExternalIdFromUrlRejects, AUrlWithoutAnId) {
  EXPECT_EQ(read(room_sharing, "https://marketplace-a.example/"),
            "problem: holds no ID at the end of its path");
  EXPECT_EQ(read(room_sharing, "https://marketplace-a.example?id=1"),
            "problem: holds no ID at the end of its path");
  EXPECT_EQ(read(marketplace_b, "https://marketplace-a.example/rooms/5"),
            "problem: holds no ID after /room/");
  EXPECT_EQ(read(marketplace_b, "https://marketplace-a.example/5/room/"),
            "problem: holds no ID after /room/");
  EXPECT_EQ(read(booking_engine, "https://marketplace-a.example/house"),
            "problem: holds no ID after /house/");
}

TEST(ExternalIdFromUrlRejects, ABareId) {
  for (const std::string_view bare :
       {"8812", "", "marketplace-a.example/rooms/8812", "staticId=771", "//x/1"})
    EXPECT_EQ(read(marketplace_a, bare),
              "problem: must be the unit's full URL on the platform, not a bare ID")
        << bare;
}

TEST(ExternalIdFromUrlRejects, OtherSchemesAndBrokenUrls) {
  for (const std::string_view url :
       {"ftp://marketplace-a.example/1", "javascript://marketplace-a.example/1", "https:///1",
        "https://marketplace-a.example:99999/1", "https://marketplace-a.example:8x/1",
        "https://marketplace-a.example/a b", "https://marketplace-a..example/1",
        "https://.marketplace-a.example/1", "https://[::1]/1", "see https://marketplace-a.example/1"})
    EXPECT_EQ(read(marketplace_a, url), "problem: must be a well-formed http or https URL") << url;
  EXPECT_EQ(read(marketplace_a, "https://marketplace-a.example/%zz"), "problem: has broken percent-encoding");
  EXPECT_EQ(read(marketplace_a, "https://marketplace-a.example/1?staticId=%4"),
            "problem: has broken percent-encoding");
}

TEST(ExternalIdFromUrlRejects, AnIdThatIsTooLongOrHoldsControlCharacters) {
  const std::string root = "https://marketplace-a.example/";
  EXPECT_EQ(read(marketplace_c, root + std::string(256, 'x')), std::string(256, 'x'));
  const std::string refusal = "problem: must hold an ID of 1 to 256 characters without control characters";
  EXPECT_EQ(read(marketplace_c, root + std::string(257, 'x')), refusal);
  EXPECT_EQ(read(marketplace_c, root + "a%00b"), refusal);
  EXPECT_EQ(read(marketplace_c, root + "a%C2%85b"), refusal);
  EXPECT_EQ(read(marketplace_c, root + "a%FFb"), refusal);
}

TEST(ExternalIdFromUrl, AcceptsThePlatformsDomainAndSubdomainsInEveryForm) {
  for (const std::string_view url :
       {"http://marketplace-a.example/1", "HTTPS://Marketplace-A.EXAMPLE/1",
        "https://www.marketplace-a.example/1", "https://a.b.marketplace-a.example/1",
        "https://marketplace-a.example./1", "https://marketplace-a.example:443/1",
        "https://marketplace-a.example:/1", "  https://marketplace-a.example/1\r\n"})
    EXPECT_EQ(read(marketplace_a, url), "1") << url;
}

/// Foreign hosts disguised as the platform's.
TEST(ExternalIdFromUrlRejects, LookAlikeDomains) {
  const std::string domain = "marketplace-a.example";
  for (const std::string evil : {"evil.test", "evil", "xn--evil.test", "127.0.0.1"}) {
    for (const std::string& authority :
         {domain + "." + evil,           evil + domain,         evil + "-" + domain,
          domain + "-" + evil,           domain + "@" + evil,   domain + ":443@" + evil,
          "user:" + domain + "@" + evil, evil + "\\@" + domain, evil + "\\." + domain,
          evil + "#@" + domain,          evil + "?." + domain,  evil + "/." + domain,
          domain + "%2e" + evil,         domain + "%40" + evil, evil + "%2f." + domain,
          domain + ".." + evil,          domain + "。" + evil,  evil,
          evil + ":" + domain,           domain + ":" + evil,   evil + " " + domain,
          evil + "\t." + domain}) {
      const auto id = read(marketplace_a, "https://" + authority + "/1");
      EXPECT_TRUE(id.starts_with("problem: ")) << authority << " was read as " << id;
    }
  }
}

TEST(ExternalIdFromUrlRejects, AForeignDomainByName) {
  EXPECT_EQ(
      read(marketplace_a, "https://marketplace-b.example/1"),
      "problem: must be on the domain of marketplace-a (marketplace-a.example), not marketplace-b.example");
}

TEST(ExternalIdFromUrlRejects, EverythingForAPlatformWithoutDomains) {
  auto nowhere = platform_of(marketplace_a);
  for (const auto& domains : {std::vector<std::string>{}, std::vector<std::string>{""}}) {
    nowhere.domains = domains;
    EXPECT_TRUE(std::holds_alternative<mapping_problem>(
        external_id_from_url(nowhere, "https://marketplace-a.example/1")));
  }
}

TEST(ExternalId, Has1To256CharactersNotBytes) {
  EXPECT_FALSE(is_external_id(""));
  EXPECT_TRUE(is_external_id("1"));
  std::string wide;
  for (int i = 0; i < 256; ++i) wide += "é";
  EXPECT_TRUE(is_external_id(wide));
  EXPECT_FALSE(is_external_id(wide + "e"));
}

TEST(ExternalId, IsWellFormedUtf8) {
  EXPECT_TRUE(is_external_id("\xf0\x9f\x8f\xa0"));
  for (const std::string_view broken : {"\x80", "\xc0\xaf", "\xc3", "\xe0\x80\xaf", "\xed\xa0\x80",
                                        "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xff"})
    EXPECT_FALSE(is_external_id(broken));
}

TEST(ExternalId, HasAtMostOneUnderscoreBetweenTwoPartsOnMarketplaceDAndTheEngine) {
  for (const auto kind : {marketplace_d, booking_engine}) {
    const auto on = platform_of(kind);
    for (const auto* id : {"12", "12_7", "a b_é"}) EXPECT_TRUE(is_external_id_of(on, id)) << id;
    for (const auto* id : {"12_r_7", "_x", "x_", "_", "__", "12__7", "_12_7", "12_7_"})
      EXPECT_FALSE(is_external_id_of(on, id)) << id;
  }
  for (const auto* id : {"12_r_7", "_x", "x_"})
    EXPECT_TRUE(is_external_id_of(platform_of(marketplace_a), id));
}

TEST(PageUrl, IsSplitIntoHostSegmentsAndQuery) {
  const auto url = parse_page_url("https://WWW.Host.example:8443/a//b%2Fc/?q=1&r#top");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->host, "www.host.example");
  EXPECT_EQ(url->segments, (std::vector<std::string_view>{"a", "b%2Fc"}));
  EXPECT_EQ(url->query, "q=1&r");
}

} // namespace roost::domain::mapping_test
