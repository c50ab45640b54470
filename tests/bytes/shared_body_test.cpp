#include "bytes/shared_body.hpp"

#include <gtest/gtest.h>

#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace roost::bytes::shared_body_test {
const std::string big(200'000, 'b');

TEST(SealedMemory, UsesAFileForLargeContent) {
  memory_writer writer;
  for (int i = 0; i < 40; ++i) writer.append(std::string(50'000, static_cast<char>('a' + i % 26)));
  EXPECT_EQ(writer.size(), 2'000'000U);
  const auto sealed = writer.seal();
  ASSERT_GE(sealed->descriptor(), 0);
  ASSERT_EQ(sealed->bytes().size(), 2'000'000U);
  for (std::size_t i = 0; i < 40; ++i)
    EXPECT_EQ(sealed->bytes()[i * 50'000 + 49'999], static_cast<char>('a' + i % 26));
  std::string read(10, ' ');
  ASSERT_EQ(::pread(sealed->descriptor(), read.data(), 10, 49'995), 10);
  EXPECT_EQ(read, "aaaaabbbbb");
}

TEST(SealedMemory, IsReadOnly) {
  memory_writer writer;
  writer.append(big);
  const auto sealed = writer.seal();
  EXPECT_LT(::pwrite(sealed->descriptor(), "x", 1, 0), 0);
  EXPECT_NE(::ftruncate(sealed->descriptor(), 1), 0);
  EXPECT_EQ(sealed->bytes(), big);
}

TEST(SealedMemory, UsesPlainMemoryForSmallContent) {
  memory_writer writer;
  writer.append("a few");
  writer.append(" bytes");
  const auto sealed = writer.seal();
  EXPECT_LT(sealed->descriptor(), 0);
  EXPECT_EQ(sealed->bytes(), "a few bytes");
  EXPECT_EQ(memory_writer{}.seal()->bytes(), "");
}

TEST(SharedBody, HasOnePart) {
  for (const auto& bytes : {std::string{"small"}, big}) {
    const shared_body body{bytes};
    ASSERT_EQ(body.parts().size(), 1U);
    EXPECT_EQ(body.size(), bytes.size());
    EXPECT_EQ(body.parts().front().file() >= 0, bytes.size() > 1000);
    EXPECT_EQ(to_string(body), bytes);
  }
  EXPECT_TRUE(shared_body{""}.parts().empty());
}

TEST(SharedBody, KeepsSharedMemoryAlive) {
  shared_body body;
  {
    const shared_body first{big}, second{"0123456789"};
    body_writer writer;
    writer.append({first.parts().front().memory, 10, 20});
    writer.append("own");
    writer.append({second.parts().front().memory, 3, 4});
    body = writer.finish();
  }
  EXPECT_EQ(to_string(body), "bbbbbbbbbbbbbbbbbbbbown3456");
  EXPECT_EQ(body.size(), 27U);
}

TEST(SharedBody, MergesAdjacentParts) {
  const shared_body other{"0123456789"};
  const auto memory = other.parts().front().memory;
  body_writer writer;
  writer.append("a");
  writer.append("b");
  writer.append({memory, 0, 4});
  writer.append({memory, 4, 0});
  writer.append({memory, 4, 2});
  writer.append({memory, 5, 2}); // starts within the last one
  const auto again = writer.append("c");
  const auto body = writer.finish();
  EXPECT_EQ(to_string(body), "ab01234556c");
  EXPECT_EQ(body.parts().size(), 4U);
  EXPECT_EQ(again.at, 2U); // after "ab" in the body's own memory
  EXPECT_EQ(writer.own_memory()->bytes(), "abc");
}

} // namespace roost::bytes::shared_body_test
