#include "security/secrets.hpp"
#include "temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <iterator>
#include <set>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace roost::security::secrets_test {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr const char* some_secrets =
    "[partner_tokens]\nsigning_key = \"000102030405060708090a0b0c0d0e0f101112131415161718191A1B1C1D1E1F\"\n";

mode_t mode_of(const fs::path& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 0777;
}

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

fs::path private_file(const tests::temporary_folder& folder, std::string_view text) {
  auto file = folder.write("secrets.toml", text);
  EXPECT_EQ(::chmod(file.c_str(), 0600), 0);
  return file;
}

/// Returns the error of load_or_create() for a file; empty if it succeeds.
std::string load_error_of(const fs::path& file) {
  try {
    secrets::load_or_create(file);
    return {};
  } catch (const secrets_error& error) {
    return error.what();
  }
}

TEST(SecretsFile, IsCreatedOnTheFirstStartForItsOwnerOnly) {
  const tests::temporary_folder folder;
  const auto file = folder / "var/deep/secrets.toml";
  const auto created = secrets::load_or_create(file);
  EXPECT_EQ(mode_of(file), 0600U);
  EXPECT_EQ(mode_of(folder / "var"), 0700U);
  EXPECT_EQ(mode_of(folder / "var/deep"), 0700U);
  EXPECT_EQ(secrets::load_or_create(file).token_key, created.token_key);
}

TEST(SecretsFile, HoldsAKeyOfItsOwn) {
  const tests::temporary_folder folder;
  EXPECT_NE(secrets::load_or_create(folder / "one.toml").token_key,
            secrets::load_or_create(folder / "two.toml").token_key);
}

TEST(SecretsFile, MayHaveDigitsOfEitherCase) {
  const tests::temporary_folder folder;
  const auto key = secrets::load_or_create(private_file(folder, some_secrets)).token_key;
  for (unsigned i = 0; i < key.size(); ++i) EXPECT_EQ(key[i], i);
}

TEST(SecretsFile, MayHaveAByteOrderMarkAndCarriageReturns) {
  const tests::temporary_folder folder;
  const auto key = secrets::load_or_create(private_file(folder, some_secrets)).token_key;
  std::string text = some_secrets;
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.insert(at, 1, '\r');
  EXPECT_EQ(secrets::load_or_create(private_file(folder, "\xef\xbb\xbf" + text)).token_key, key);
}

TEST(SecretsFile, IsRefusedIfOthersMayAccessIt) {
  const tests::temporary_folder folder;
  const auto file = private_file(folder, some_secrets);
  for (const mode_t mode : {0640, 0604, 0620, 0602, 0644, 0777}) {
    ASSERT_EQ(::chmod(file.c_str(), mode), 0);
    EXPECT_THAT(load_error_of(file), HasSubstr("run: chmod 600 " + file.string())) << mode;
  }
  ASSERT_EQ(::chmod(file.c_str(), 0400), 0);
  EXPECT_EQ(load_error_of(file), "");
}

TEST(SecretsFile, MayBeReadableByAGroupOfTheProcess) {
  const tests::temporary_folder folder;
  const auto file = private_file(folder, some_secrets);
  ASSERT_EQ(::chown(file.c_str(), ::geteuid(), ::getegid()), 0);
  ASSERT_EQ(::chmod(file.c_str(), 0440), 0);
  EXPECT_EQ(load_error_of(file), "");
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file to any group";
  constexpr gid_t foreign_group = 54'321;
  ASSERT_EQ(::chown(file.c_str(), 0, foreign_group), 0);
  ASSERT_EQ(::chmod(file.c_str(), 0440), 0);
  EXPECT_THAT(load_error_of(file), HasSubstr("run: chmod 600 " + file.string()));
}

TEST(SecretsFile, IsNeverReplacedIfInvalid) {
  const tests::temporary_folder folder;
  for (const auto* text :
       {"", "signing_key = \"00\"", "[partner_tokens]\nsigning_key = 5\n",
        "[partner_tokens]\nsigning_key = \"00\"\n",
        ("[partner_tokens]\nsigning_key = \"zz0102030405060708090a0b0c0d0e0f101112131415161718191A1B"
         "1C1D1E1F\"\n")}) {
    const auto file = private_file(folder, text);
    EXPECT_THAT(load_error_of(file), HasSubstr("has no partner_tokens.signing_key of 64 hexadecimal digits"));
    EXPECT_EQ(text_of(file), text);
  }
}

TEST(SecretsFile, ReportsTheLineOfASyntaxErrorButNotItsContent) {
  const tests::temporary_folder folder;
  const auto error = load_error_of(private_file(folder, "[partner_tokens]\nsigning_key = hunter2\n"));
  EXPECT_THAT(error, HasSubstr("is not valid TOML, line 2"));
  EXPECT_THAT(error, ::testing::Not(HasSubstr("hunter2")));
}

TEST(SecretsFile, MustBeAFileOfReasonableSize) {
  const tests::temporary_folder folder;
  const auto inner = folder / "folder";
  ASSERT_EQ(::mkdir(inner.c_str(), 0700), 0);
  EXPECT_THAT(load_error_of(inner), HasSubstr("is not a file"));
  EXPECT_THAT(load_error_of(private_file(folder, std::string(100'000, '#'))), HasSubstr("is too large"));
}

TEST(SecretsFile, CannotBeCreatedBelowAFile) {
  const tests::temporary_folder folder;
  const auto file = folder.write("file", "");
  EXPECT_NE(load_error_of(file / "secrets.toml"), "");
}

TEST(SecretsFile, IsTheSameForThreadsThatStartSimultaneously) {
  const tests::temporary_folder folder;
  const auto file = folder / "var/secrets.toml";
  std::vector<signing_key> keys(8);
  std::vector<std::thread> threads;
  for (auto& key : keys) threads.emplace_back([&] { key = secrets::load_or_create(file).token_key; });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(std::set<signing_key>(keys.begin(), keys.end()).size(), 1U);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / "var"), fs::directory_iterator()), 1)
      << "drafts are left behind";
}

TEST(SecretsFile, IsTheSameForProcessesThatStartSimultaneously) {
  const tests::temporary_folder folder;
  const auto file = folder / "secrets.toml";
  int pipe_ends[2];
  ASSERT_EQ(::pipe(pipe_ends), 0);
  constexpr int processes = 8;
  for (int i = 0; i < processes; ++i) {
    if (::fork() != 0) continue;
    const auto key = secrets::load_or_create(file).token_key;
    const bool written = ::write(pipe_ends[1], key.data(), key.size()) == static_cast<ssize_t>(key.size());
    ::_exit(written ? 0 : 1);
  }
  for (int i = 0; i < processes; ++i) {
    int status = 0;
    ASSERT_GT(::wait(&status), 0);
    EXPECT_EQ(status, 0);
  }
  std::set<signing_key> keys;
  for (int i = 0; i < processes; ++i) {
    signing_key key;
    ASSERT_EQ(::read(pipe_ends[0], key.data(), key.size()), static_cast<ssize_t>(key.size()));
    keys.insert(key);
  }
  ::close(pipe_ends[0]);
  ::close(pipe_ends[1]);
  EXPECT_EQ(keys.size(), 1U);
}

TEST(SessionKeys, AreDerivedForAnOlderFileWithoutRewritingIt) {
  const tests::temporary_folder folder;
  const auto file = private_file(folder, some_secrets);
  const auto keys = secrets::load_or_create(file).session_keys;
  ASSERT_EQ(keys.all().size(), 1U);
  EXPECT_EQ(text_of(file), some_secrets);
  EXPECT_EQ(secrets::load_or_create(file).session_keys.newest().key, keys.newest().key);
}

TEST(SessionKeys, KeepOlderKeysAfterARotation) {
  const tests::temporary_folder folder;
  const auto file = private_file(folder, some_secrets);
  const auto before = secrets::load_or_create(file);
  const std::chrono::sys_seconds now{std::chrono::hours{24 * 365 * 50}};
  const auto id = rotate_session_keys(file, now);
  const auto after = secrets::load_or_create(file);
  EXPECT_EQ(after.token_key, before.token_key);
  EXPECT_EQ(after.session_keys.newest().id, id);
  ASSERT_NE(after.session_keys.find(before.session_keys.newest().id), nullptr);
  EXPECT_EQ(after.session_keys.find(before.session_keys.newest().id)->key, before.session_keys.newest().key);
  EXPECT_EQ(mode_of(file), 0600U);
}

TEST(SessionKeys, KeepTheOwnerOfTheirFileWhenRootRotatesThem) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  const tests::temporary_folder folder;
  const auto file = private_file(folder, some_secrets);
  constexpr uid_t owner = 4711;
  ASSERT_EQ(::chown(file.c_str(), owner, owner), 0);
  rotate_session_keys(file, std::chrono::sys_seconds{std::chrono::hours{24 * 365 * 50}});
  struct stat status {};
  ASSERT_EQ(::stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, owner);
  EXPECT_EQ(status.st_gid, owner);
  EXPECT_EQ(mode_of(file), 0600U);
}

TEST(SessionKeys, KeepTheGroupThatReadsTheirFile) {
  const tests::temporary_folder folder;
  const auto file = private_file(folder, some_secrets);
  std::array<gid_t, 256> groups{};
  const int count = ::getgroups(groups.size(), groups.data());
  const auto group = count > 0 ? groups.at(static_cast<std::size_t>(count) - 1) : ::getegid();
  ASSERT_EQ(::chown(file.c_str(), ::geteuid(), group), 0);
  ASSERT_EQ(::chmod(file.c_str(), 0440), 0);
  rotate_session_keys(file, std::chrono::sys_seconds{std::chrono::hours{24 * 365 * 50}});
  struct stat status {};
  ASSERT_EQ(::stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_gid, group);
  EXPECT_EQ(mode_of(file), 0440U);
}

TEST(SessionKeys, AreDroppedNinetyDaysAfterTheirReplacement) {
  const tests::temporary_folder folder;
  const auto file = private_file(folder, some_secrets);
  const std::chrono::sys_seconds now{std::chrono::hours{24 * 365 * 50}};
  rotate_session_keys(file, now);
  const auto second = rotate_session_keys(file, now + std::chrono::days{80});
  const auto third = rotate_session_keys(file, now + std::chrono::days{91});
  const auto keys = secrets::load_or_create(file).session_keys;
  EXPECT_EQ(keys.newest().id, third);
  EXPECT_NE(keys.find(second), nullptr);
  EXPECT_EQ(keys.all().size(), 3U) << "the first was replaced 91 days ago, the next only 11";
}

TEST(SessionKeys, AreAllDroppedToSignOutAllUsers) {
  const tests::temporary_folder folder;
  const auto file = private_file(folder, some_secrets);
  rotate_session_keys(file, {}, true);
  EXPECT_EQ(secrets::load_or_create(file).session_keys.all().size(), 1U);
}

TEST(SessionKeys, AreRefusedWithoutIdOrCompleteKey) {
  const tests::temporary_folder folder;
  for (const auto* wrong :
       {"[[session_keys]]\nkey = \"00\"\nmade_at = 1\n",
        "[[session_keys]]\nid = \"a\"\nkey = \"00\"\nmade_at = 1\n", "session_keys = [1]\n"}) {
    const auto file = private_file(folder, std::string(wrong[0] == 's' ? wrong : "") + some_secrets +
                                               (wrong[0] == 's' ? "" : wrong));
    EXPECT_THAT(load_error_of(file), HasSubstr("session")) << wrong;
  }
}

TEST(SecretsFingerprint, DistinguishesKeysWithoutRevealingThem) {
  const tests::temporary_folder folder, elsewhere;
  const auto first = secrets::load(private_file(folder, some_secrets)).value();
  const auto second = secrets::load_or_create(elsewhere / "secrets.toml");
  EXPECT_EQ(first.fingerprint().size(), 16U);
  EXPECT_EQ(first.fingerprint(), secrets::load(folder / "secrets.toml")->fingerprint());
  EXPECT_NE(first.fingerprint(), second.fingerprint());
  EXPECT_EQ(std::string(some_secrets).find(first.fingerprint()), std::string::npos);
}

TEST(SecretsFingerprint, DoesNotChangeWhenSessionKeysAreRotated) {
  const tests::temporary_folder folder;
  const auto file = folder / "secrets.toml";
  const auto before = secrets::load_or_create(file).fingerprint();
  rotate_session_keys(file, std::chrono::sys_seconds(std::chrono::seconds(1'800'000'000)));
  EXPECT_EQ(secrets::load(file)->fingerprint(), before);
}

TEST(Secrets, AreNotCreatedByLoading) {
  const tests::temporary_folder folder;
  EXPECT_FALSE(secrets::load(folder / "secrets.toml"));
  EXPECT_FALSE(fs::exists(folder / "secrets.toml"));
}

TEST(TokenKeys, AreRotatedGradually) {
  const tests::temporary_folder folder;
  const auto file = folder.path() / "secrets.toml";
  const auto before = secrets::load_or_create(file);
  EXPECT_EQ(rotate_token_key(file), 2U);
  const auto after = secrets::load_or_create(file);
  EXPECT_NE(after.token_key, before.token_key);
  EXPECT_EQ(after.token_keys(), (std::vector<signing_key>{after.token_key, before.token_key}));
  EXPECT_EQ(after.fingerprint(), before.fingerprint()) << "the store still accepts the file";
  EXPECT_EQ(after.session_keys.newest().key, before.session_keys.newest().key) << "users stay signed in";
  rotate_session_keys(file, std::chrono::sys_seconds{std::chrono::days{20'000}});
  EXPECT_EQ(secrets::load_or_create(file).token_keys(), after.token_keys());
  EXPECT_EQ(drop_replaced_token_keys(file), 1U);
  const auto dropped = secrets::load_or_create(file);
  EXPECT_EQ(dropped.token_keys(), std::vector<signing_key>{after.token_key});
  EXPECT_NE(dropped.fingerprint(), before.fingerprint());
  EXPECT_EQ(drop_replaced_token_keys(file), 0U);
}

TEST(TheSubmissionKey, SurvivesEveryRotation) {
  const tests::temporary_folder folder, elsewhere;
  for (const auto* content : {"", some_secrets}) { // a new file, and one from before the key
    const auto file = *content ? private_file(folder, content) : elsewhere / "secrets.toml";
    const auto key = secrets::load_or_create(file).submission_key;
    rotate_session_keys(file, {}, true);
    EXPECT_EQ(secrets::load_or_create(file).submission_key, key);
    rotate_token_key(file);
    EXPECT_EQ(secrets::load_or_create(file).submission_key, key);
    drop_replaced_token_keys(file);
    EXPECT_EQ(secrets::load_or_create(file).submission_key, key);
  }
}

TEST(TheSubmissionKey, IsAKeyOfItsOwn) {
  const tests::temporary_folder folder, elsewhere;
  const auto created = secrets::load_or_create(elsewhere / "secrets.toml");
  const auto older = secrets::load_or_create(private_file(folder, some_secrets));
  for (const auto* each : {&created, &older}) {
    EXPECT_NE(each->submission_key, each->token_key);
    EXPECT_NE(each->submission_key, each->session_keys.newest().key);
  }
  EXPECT_NE(created.submission_key, older.submission_key);
}

TEST(TheSubmissionKey, IsRefusedIfIncomplete) {
  const tests::temporary_folder folder;
  const auto file =
      private_file(folder, std::string(some_secrets) + "[submissions]\ndigest_key = \"0011\"\n");
  EXPECT_THAT(load_error_of(file), HasSubstr("has no submissions.digest_key of 64 hexadecimal digits"));
}

TEST(SubmissionDigests, DependOnKeyAndText) {
  signing_key key{}, other{};
  other[31] = 1;
  const auto digest = submission_digest(key, "text");
  EXPECT_EQ(digest, submission_digest(key, "text"));
  EXPECT_NE(digest, submission_digest(key, "Text"));
  EXPECT_EQ(digest.substr(0, 9), submission_digest(key, "Text").substr(0, 9)) << "the id of the key";
  EXPECT_NE(digest.substr(0, 9), submission_digest(other, "text").substr(0, 9));
  EXPECT_NE(digest.substr(9), submission_digest(other, "text").substr(9));
  EXPECT_EQ(digest.size(), 8U + 1U + 64U);
}

} // namespace roost::security::secrets_test
