#include "feeds/feed_text.hpp"
#include "support/gunzip.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>
#include <zlib.h>

namespace roost::feeds::feed_gzip::feed_gzip_test {
TEST(FeedGzip, JoinsIndependentlyCompressedTexts) {
  const std::vector<std::string> texts{"[", "{\"a\":1}", std::string(300'000, 'x'), "", ",tail,tail"};
  std::string packed{head()}, text;
  std::uint32_t crc = 0, adler = 1;
  for (const auto& each : texts) {
    packed += deflated(each);
    crc = joined_crc(crc, crc_of(each), each.size());
    adler = joined_adler(adler, adler_of(each), each.size());
    text += each;
  }
  packed += deflated("]", true);
  crc = joined_crc(crc, crc_of("]"), 1);
  text += "]";
  packed += tail(crc, text.size());
  EXPECT_EQ(roost::testing::gunzip(packed), text);
  EXPECT_EQ(crc, crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size()));
  text.pop_back();
  EXPECT_EQ(adler, adler32_z(1, reinterpret_cast<const Bytef*>(text.data()), text.size()));
}

TEST(FeedGzip, CompressesEqualTextsEqually) {
  const std::string text = "the rows of a page";
  const std::string once{deflated(text)};
  deflated(std::string(100'000, 'y'));
  EXPECT_EQ(deflated(text), once);
}

} // namespace roost::feeds::feed_gzip::feed_gzip_test
