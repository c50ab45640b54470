#include "domain/uuid.hpp"
#include "support/random_cases.hpp"

#include <gtest/gtest.h>

#include <string>

namespace roost::domain::uuid_test {
const std::string hex_digits = "0123456789abcdef";

std::string uuid_of(char version, char variant) {
  std::string text = "c4a760a8-dbcf-41e6-9d3a-2f1a4b5c6d7e";
  text[14] = version;
  text[19] = variant;
  return text;
}

TEST(ParseUuid, ReadsTheCanonicalFormInEitherLetterCase) {
  const auto lower = parse_uuid("c4a760a8-dbcf-41e6-9d3a-2f1a4b5c6d7e");
  ASSERT_TRUE(lower);
  EXPECT_EQ(lower->data[0], 0xc4);
  EXPECT_EQ(lower->data[6], 0x41);
  EXPECT_EQ(lower->data[15], 0x7e);
  EXPECT_EQ(parse_uuid("C4A760A8-DBCF-41E6-9d3a-2F1A4B5C6D7E"), lower);
}

TEST(ParseUuid, ReadsEveryVersionAndVariant) {
  EXPECT_TRUE(parse_uuid("00000000-0000-0000-0000-000000000000"));
  EXPECT_TRUE(parse_uuid("ffffffff-ffff-ffff-ffff-ffffffffffff"));
  for (const char version : hex_digits)
    for (const char variant : hex_digits)
      EXPECT_TRUE(parse_uuid(uuid_of(version, variant))) << version << ' ' << variant;
}

TEST(ParseUuid, RejectsOtherForms) {
  for (const auto* text :
       {"", "c4a760a8dbcf41e69d3a2f1a4b5c6d7e", "{c4a760a8-dbcf-41e6-9d3a-2f1a4b5c6d7e}",
        "urn:uuid:c4a760a8-dbcf-41e6-9d3a-2f1a4b5c6d7e", "c4a760a8-dbcf-41e6-9d3a-2f1a4b5c6d7",
        "c4a760a8-dbcf-41e6-9d3a-2f1a4b5c6d7e0", "c4a760a8-dbcf-41e6-9d3a-2f1a4b5c6d7g",
        " c4a760a8-dbcf-41e6-9d3a-2f1a4b5c6d7e", "c4a760a8-dbcf-41e6-9d3a-2f1a4b5c6d7e ",
        "c4a760a8-dbcf-41e6-9d3a_2f1a4b5c6d7e", "c4a760a8d-bcf-41e6-9d3a-2f1a4b5c6d7e",
        "c4a760a8-dbcf-41e6-9d3-a2f1a4b5c6d7e", "c4a760a8--bcf-41e6-9d3a-2f1a4b5c6d7e"})
    EXPECT_FALSE(parse_uuid(text)) << text;
}

TEST(UuidText, IsLowerCaseAndReadsBackTheSame) {
  for_random_cases(2'000, [](std::mt19937& random) {
    uuid id{};
    for (auto& byte : id.data) byte = static_cast<std::uint8_t>(between(random, 0, 255));
    const auto text = to_string(id);
    EXPECT_EQ(text.find_first_not_of(hex_digits + "-"), std::string::npos) << text;
    EXPECT_EQ(parse_uuid(text), id) << text;
  });
}

TEST(RfcUuid, HasAVersionFromOneToEight) {
  for (const char version : hex_digits)
    EXPECT_EQ(is_rfc_uuid(uuid_of(version, '9')), version >= '1' && version <= '8') << version;
}

TEST(RfcUuid, HasItsVariant) {
  for (const char variant : hex_digits)
    EXPECT_EQ(is_rfc_uuid(uuid_of('4', variant)), std::string{"89ab"}.find(variant) != std::string::npos)
        << variant;
}

TEST(RfcUuid, MayBeInEitherLetterCase) {
  EXPECT_TRUE(is_rfc_uuid("C4A760A8-DBCF-41E6-9D3A-2F1A4B5C6D7E"));
  EXPECT_TRUE(is_rfc_uuid(uuid_of('7', 'A')));
}

TEST(RfcUuid, MayBeNilOrMaxButNothingNextToThem) {
  EXPECT_TRUE(is_rfc_uuid("00000000-0000-0000-0000-000000000000"));
  EXPECT_TRUE(is_rfc_uuid("ffffffff-ffff-ffff-ffff-ffffffffffff"));
  EXPECT_TRUE(is_rfc_uuid("FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"));
  EXPECT_FALSE(is_rfc_uuid("00000000-0000-0000-0000-000000000001"));
  EXPECT_FALSE(is_rfc_uuid("ffffffff-ffff-ffff-ffff-fffffffffffe"));
}

TEST(RfcUuid, IsInCanonicalFormOnly) {
  for (const auto* text :
       {"", "1234", "{c4a760a8-dbcf-41e6-9d3a-2f1a4b5c6d7e}", "urn:uuid:c4a760a8-dbcf-41e6-9d3a-2f1a4b5c6d7e",
        "c4a760a8dbcf41e69d3a2f1a4b5c6d7e"})
    EXPECT_FALSE(is_rfc_uuid(text)) << text;
}

} // namespace roost::domain::uuid_test
