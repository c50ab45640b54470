#include "fuzz/support/target.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

/// Replays the corpora in tests/fuzz/corpora: each target checks every file in the folder of its name.
namespace roost::fuzz::replay_test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_files = 60, max_size = 4096; ///< keep the corpora small and readable

const fs::path fuzz_folder = fs::path{ROOST_SOURCE_DIR} / "tests/fuzz", corpora = fuzz_folder / "corpora",
               dictionaries = fuzz_folder / "dictionaries";

std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  if (fs::exists(folder))
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void replay(const target& target, const fs::path& file) {
  const auto input = content_of(file);
  EXPECT_LE(input.size(), max_size) << file;
  try {
    target.check(input);
  } catch (const violation& violation) {
    ADD_FAILURE() << file << " violates: " << violation.property;
  } catch (const std::exception& error) {
    ADD_FAILURE() << file << " throws: " << error.what();
  }
}

class corpus : public ::testing::Test {
public:
  explicit corpus(target replayed) : target_(std::move(replayed)) {}

  void TestBody() override {
    const auto files = files_of(corpora / target_.name);
    EXPECT_FALSE(files.empty()) << "add inputs to " << corpora / target_.name;
    EXPECT_LE(files.size(), max_files);
    for (const auto& file : files) replay(target_, file);
  }

private:
  const target target_;
};

void register_tests() {
  for (const auto& target : targets())
    ::testing::RegisterTest("FuzzCorpus", std::string{target.sentence}.c_str(), nullptr, nullptr, __FILE__,
                            __LINE__, [target]() -> ::testing::Test* { return new corpus(target); });
}

bool is_target(const std::string& name) {
  return std::ranges::find(targets(), name, &target::name) != targets().end();
}

TEST(FuzzCorpora, BelongToTargets) {
  for (const auto& folder : files_of(corpora)) EXPECT_TRUE(is_target(folder.filename().string())) << folder;
}

TEST(FuzzDictionaries, BelongToTargets) {
  for (const auto& file : files_of(dictionaries)) EXPECT_TRUE(is_target(file.stem().string())) << file;
}

} // namespace
} // namespace roost::fuzz::replay_test

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  roost::fuzz::replay_test::register_tests();
  return RUN_ALL_TESTS();
}
