#include "mail/sample_mail.hpp"
#include "mail/transport.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

namespace roost::mail::file_transport_test {
namespace fs = std::filesystem;

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class FileTransport : public ::testing::Test {
protected:
  FileTransport() {
    auto name = (fs::temp_directory_path() / "roost-mail-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), name);
    root_ = name;
  }
  ~FileTransport() override { fs::remove_all(root_); }

  fs::path outbox() const { return root_ / "var" / "outbox"; }

  static void deliver(transport& transport, const domain::outgoing_mail& mail) {
    send_unrecorded(transport, mail);
  }

  static domain::outgoing_mail other_mail() {
    auto other = sample_mail();
    other.id = domain::parse_uuid("5f0c3f2e-8a44-4d6f-9a51-0d7f3f6f2a11").value();
    return other;
  }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(outbox()))
      names.push_back(entry.path().filename().string());
    return names;
  }

  fs::path root_;
};

TEST_F(FileTransport, WritesTheMessageIntoAFileNamedByTimeAndId) {
  deliver(*file_transport(outbox(), sample_sender), sample_mail());
  const std::string name = "20261120T093000123Z-5f0c3f2e-8a44-4d6f-9a51-0d7f3f6f2a10.eml";
  EXPECT_THAT(files(), ::testing::ElementsAre(name));
  EXPECT_EQ(content_of(outbox() / name), to_rfc5322(sample_mail(), sample_sender));
}

TEST_F(FileTransport, ReturnsThePathOfTheFile) {
  const auto transport = file_transport(outbox(), sample_sender);
  const fs::path file = send_unrecorded(*transport, sample_mail());
  EXPECT_EQ(file.parent_path(), outbox());
  EXPECT_EQ(content_of(file), to_rfc5322(sample_mail(), sample_sender));
}

/// Mails contain codes and links that sign users in.
TEST_F(FileTransport, CreatesPrivateFolders) {
  deliver(*file_transport(outbox(), sample_sender), sample_mail());
  for (const auto& folder : {outbox(), outbox().parent_path()})
    EXPECT_EQ(fs::status(folder).permissions(), fs::perms::owner_all) << folder;
}

TEST_F(FileTransport, ReplacesTheFileOfTheSameMail) {
  const auto transport = file_transport(outbox(), sample_sender);
  deliver(*transport, sample_mail());
  deliver(*transport, sample_mail());
  EXPECT_EQ(files().size(), 1U);
  EXPECT_EQ(content_of(outbox() / files().at(0)), to_rfc5322(sample_mail(), sample_sender));
}

TEST_F(FileTransport, MayBeSharedByThreads) {
  const auto transport = file_transport(outbox(), sample_sender);
  constexpr int senders = 4, mails_each = 25;
  {
    std::vector<std::jthread> threads;
    for (int sender = 0; sender < senders; ++sender)
      threads.emplace_back([&, sender] {
        for (int i = 0; i < mails_each; ++i) {
          auto mail = sample_mail();
          mail.created_at += std::chrono::seconds{sender * mails_each + i}; // a different file name
          deliver(*transport, mail);
        }
      });
  }
  EXPECT_EQ(files().size(), std::size_t{senders * mails_each});
  EXPECT_THAT(files(), ::testing::Each(::testing::EndsWith(".eml")));
}

TEST_F(FileTransport, WritesEachMailToItsOwnFile) {
  const std::vector mails{sample_mail(), other_mail()};
  const auto results = file_transport(outbox(), sample_sender)->send(mails, [](auto) {});
  EXPECT_EQ(results.size(), 2U);
  EXPECT_EQ(files().size(), 2U);
}

TEST_F(FileTransport, PassesTheGateOnceForAllFilesBeforeTheyHaveTheirNames) {
  const std::vector mails{sample_mail(), other_mail()};
  std::vector<domain::uuid> passed;
  file_transport(outbox(), sample_sender)->send(mails, [&](std::span<const domain::uuid> ids) {
    passed.insert(passed.end(), ids.begin(), ids.end());
    EXPECT_THAT(files(), ::testing::Each(::testing::EndsWith(".part")));
  });
  EXPECT_THAT(passed, ::testing::ElementsAre(mails[0].id, mails[1].id));
  EXPECT_THAT(files(), ::testing::Each(::testing::EndsWith(".eml")));
}

TEST_F(FileTransport, DeliversNoFileThatTheGateStops) {
  const std::vector mails{sample_mail(), other_mail()};
  const auto results =
      file_transport(outbox(), sample_sender)->send(mails, [](auto) { throw send_failed("stopped", false); });
  for (const auto& result : results) {
    ASSERT_TRUE(result.failure);
    EXPECT_EQ(result.failure->error_class, "stopped");
    EXPECT_FALSE(result.failure->possibly_delivered);
  }
  EXPECT_THAT(files(), ::testing::Each(::testing::EndsWith(".part")));
}

TEST_F(FileTransport, ReportsALostFile) {
  const auto transport = file_transport(outbox(), sample_sender);
  const auto mail = sample_mail();
  const auto results = transport->send({&mail, 1}, [this](auto) { fs::remove_all(outbox()); });
  ASSERT_TRUE(results.at(0).failure);
  EXPECT_EQ(results[0].failure->error_class, "disk");
  EXPECT_FALSE(results[0].failure->possibly_delivered) << "sending it again replaces the file";
  deliver(*transport, other_mail()); // the failure does not affect later mails
  EXPECT_EQ(files().size(), 1U);
}

TEST_F(FileTransport, WritesTheOthersIfARecipientIsInvalid) {
  std::vector mails{sample_mail(), other_mail()};
  mails[0].to = "invalid";
  std::vector<domain::uuid> passed;
  const auto results = file_transport(outbox(), sample_sender)->send(mails, [&](auto ids) {
    passed.assign(ids.begin(), ids.end());
  });
  ASSERT_TRUE(results.at(0).failure);
  EXPECT_EQ(results[0].failure->error_class, "rejected_recipient");
  EXPECT_FALSE(results.at(1).failure);
  EXPECT_THAT(passed, ::testing::ElementsAre(mails[1].id));
  EXPECT_EQ(files().size(), 1U);
}

TEST_F(FileTransport, ReplacesAFileLeftByACrash) {
  const auto transport = file_transport(outbox(), sample_sender);
  deliver(*transport, sample_mail());
  const auto name = files().at(0);
  fs::remove(outbox() / name);
  std::ofstream(outbox() / ("." + name + ".part")) << std::string(100'000, 'x');
  deliver(*transport, sample_mail());
  EXPECT_THAT(files(), ::testing::ElementsAre(name));
  EXPECT_EQ(content_of(outbox() / name), to_rfc5322(sample_mail(), sample_sender));
}

TEST_F(FileTransport, RecreatesARemovedFolder) {
  const auto transport = file_transport(outbox(), sample_sender);
  deliver(*transport, sample_mail());
  fs::remove_all(outbox());
  deliver(*transport, sample_mail());
  EXPECT_EQ(files().size(), 1U);
}

TEST_F(FileTransport, ReportsAnImpossibleFolderAsATemporaryFailure) {
  std::ofstream(root_ / "var") << "a file where a folder should be";
  try {
    send_unrecorded(*file_transport(outbox(), sample_sender), sample_mail());
    FAIL() << "no error";
  } catch (const send_failed& failed) {
    EXPECT_EQ(failed.error_class, "disk");
    EXPECT_FALSE(failed.permanent);
  }
}

TEST_F(FileTransport, WritesNothingForAnInvalidRecipient) {
  auto mail = sample_mail();
  mail.to = "invalid";
  EXPECT_THROW(send_unrecorded(*file_transport(outbox(), sample_sender), mail), send_failed);
  EXPECT_FALSE(fs::exists(outbox()));
}

TEST_F(FileTransport, RequiresAValidSender) {
  EXPECT_THROW(file_transport(outbox(), "roost"), std::invalid_argument);
}

} // namespace roost::mail::file_transport_test
