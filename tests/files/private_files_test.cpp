#include "files/private_files.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sys/stat.h>

namespace roost::testing::private_files_test {
namespace fs = std::filesystem;

class PrivateFiles : public ::testing::Test {
protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "roost-files-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    ::umask(0);
  }

  void TearDown() override {
    ::umask(mask_);
    fs::remove_all(folder_);
  }

  static fs::perms mode(const fs::path& path) { return fs::status(path).permissions() & fs::perms::mask; }

  fs::path folder_;

private:
  const mode_t mask_ = ::umask(0);
};

TEST_F(PrivateFiles, GrantNoAccessToOthers) {
  EXPECT_FALSE(files::make_private_folder(folder_ / "a/b"));
  EXPECT_EQ(mode(folder_ / "a"), fs::perms::owner_all);
  EXPECT_EQ(mode(folder_ / "a/b"), fs::perms::owner_all);
  const auto file = folder_ / "a/b/store";
  EXPECT_FALSE(files::make_private_file(file));
  EXPECT_EQ(mode(file), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_FALSE(files::is_open_to_others(file));
}

TEST_F(PrivateFiles, KeepTheModeOfExistingOnes) {
  const auto file = folder_ / "shared";
  std::ofstream(file) << "text";
  fs::permissions(file, fs::perms{0644});
  fs::permissions(folder_, fs::perms{0755});
  EXPECT_FALSE(files::make_private_file(file));
  EXPECT_FALSE(files::make_private_folder(folder_));
  EXPECT_EQ(mode(file), fs::perms{0644});
  EXPECT_EQ(mode(folder_), fs::perms{0755});
  EXPECT_EQ(fs::file_size(file), 4U);
  EXPECT_TRUE(files::is_open_to_others(file));
}

TEST_F(PrivateFiles, ReportWhyTheyCannotBeCreated) {
  const auto file = folder_ / "file";
  ASSERT_FALSE(files::make_private_file(file));
  EXPECT_EQ(files::make_private_folder(file / "below"), std::errc::not_a_directory);
  EXPECT_EQ(files::make_private_file(folder_ / "none/file"), std::errc::no_such_file_or_directory);
  EXPECT_FALSE(files::is_open_to_others(folder_ / "none"));
}

} // namespace roost::testing::private_files_test
