#include "files/private_files.hpp"
#include "mail/transport.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace roost::mail {

namespace {

[[noreturn]] void fail(int error) {
  throw send_failed("disk", false, std::generic_category().message(error));
}

void sync(const files::open_file& file) {
  if (!file || ::fsync(file.descriptor()) != 0) fail(errno);
}

/// Returns `20261120T093000123Z-<id>.eml`: sorts by time, and is the same for the same mail.
std::string file_name(const domain::outgoing_mail& mail) {
  auto name = domain::to_string(mail.created_at);
  std::erase_if(name, [](char c) { return c == '-' || c == ':' || c == '.'; });
  return name + "-" + domain::to_string(mail.id) + ".eml";
}

class folder_transport final : public transport {
public:
  folder_transport(std::filesystem::path folder, std::string from)
      : folder_(std::move(folder)), from_(std::move(from)) {}

  std::size_t batch_size() const override { return max_batch; }

  bool is_repeatable() const override { return true; }

  std::vector<send_result> send(std::span<const domain::outgoing_mail> mails,
                                const delivery_gate& gate) override {
    const std::scoped_lock lock(mutex_);
    std::vector<send_result> results(mails.size());
    std::vector<unfinished_file> files;
    for (std::size_t i = 0; i < mails.size(); ++i) {
      try {
        files.push_back(write(mails[i], results[i]));
      } catch (const send_failed& failed) {
        results[i].failure = failed;
      }
    }
    const auto failure = deliver(files, gate);
    if (failure)
      for (const auto& file : files) file.result->failure = failure;
    return results;
  }

private:
  static constexpr std::size_t max_batch = 100;

  struct unfinished_file {
    std::string name;
    domain::uuid mail_id;
    files::open_file content;
    send_result* result = nullptr;
  };

  unfinished_file write(const domain::outgoing_mail& mail, send_result& result) const {
    const auto message = to_rfc5322(mail, from_);
    auto name = file_name(mail);
    make_folder();
    files::open_file file(unfinished(name), O_WRONLY | O_CREAT | O_TRUNC);
    if (!file || !file.write(message)) fail(errno);
    result.receipt = (folder_ / name).string();
    return {std::move(name), mail.id, std::move(file), &result};
  }

  /// Returns the failure of all files, if any. Syncs them together, so that a journaling file system writes
  /// its journal once.
  std::optional<send_failed> deliver(const std::vector<unfinished_file>& files,
                                     const delivery_gate& gate) const {
    if (files.empty()) return std::nullopt;
    try {
      for (const auto& file : files) // does not wait, so that several files are written concurrently
        ::sync_file_range(file.content.descriptor(), 0, 0, SYNC_FILE_RANGE_WRITE);
      for (const auto& file : files) sync(file.content);
      std::vector<domain::uuid> ids;
      ids.reserve(files.size());
      for (const auto& file : files) ids.push_back(file.mail_id);
      gate(ids);
      for (const auto& file : files)
        if (std::rename(unfinished(file.name).c_str(), (folder_ / file.name).c_str()) != 0) fail(errno);
      sync({folder_, O_RDONLY | O_DIRECTORY});
      return std::nullopt;
    } catch (const send_failed& failed) {
      return failed;
    }
  }

  /// Returns the temporary path; if a crash leaves the file behind, the next attempt replaces it.
  std::filesystem::path unfinished(const std::string& name) const { return folder_ / ("." + name + ".part"); }

  /// Creates the folder, for each message, because operators clean up folders of running servers. It is
  /// private: mails contain codes and links that sign users in.
  void make_folder() const {
    if (const auto error = files::make_private_folder(folder_)) fail(error.value());
  }

  std::filesystem::path folder_;
  std::string from_;
  std::mutex mutex_; ///< concurrent calls may write the same file
};

} // namespace

std::unique_ptr<transport> file_transport(std::filesystem::path folder, std::string from) {
  sender_of(from);
  return std::make_unique<folder_transport>(std::move(folder), std::move(from));
}

} // namespace roost::mail
