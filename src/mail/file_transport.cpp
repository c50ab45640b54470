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

  std::string send(const domain::outgoing_mail& mail) override {
    const auto message = to_rfc5322(mail, from_);
    auto name = file_name(mail);
    auto path = (folder_ / name).string();
    const std::scoped_lock lock(mutex_);
    make_folder();
    std::erase_if(unsettled_, [&](const unsettled_file& file) { return file.name == name; });
    files::open_file file(unfinished(name), O_WRONLY | O_CREAT | O_TRUNC);
    if (!file || !file.write(message)) fail(errno);
    unsettled_.push_back({std::move(name), std::move(file)});
    return path;
  }

  /// Syncs all files together, so that a journaling file system writes its journal once.
  void settle() override {
    const std::scoped_lock lock(mutex_);
    auto files = std::exchange(unsettled_, {});
    if (files.empty()) return;
    for (const auto& file : files) // does not wait, so that several files are written concurrently
      ::sync_file_range(file.content.descriptor(), 0, 0, SYNC_FILE_RANGE_WRITE);
    for (const auto& file : files) sync(file.content);
    for (const auto& file : files)
      if (std::rename(unfinished(file.name).c_str(), (folder_ / file.name).c_str()) != 0) fail(errno);
    sync({folder_, O_RDONLY | O_DIRECTORY});
  }

private:
  struct unsettled_file {
    std::string name;
    files::open_file content;
  };

  /// Returns the temporary path; if a crash leaves the file behind, the next attempt replaces it.
  std::filesystem::path unfinished(const std::string& name) const { return folder_ / ("." + name + ".part"); }

  /// Creates the folder, for each message, because operators clean up folders of running servers. It is
  /// private: mails contain codes and links that sign users in.
  void make_folder() const {
    if (const auto error = files::make_private_folder(folder_)) fail(error.value());
  }

  std::filesystem::path folder_;
  std::string from_;
  std::mutex mutex_;
  std::vector<unsettled_file> unsettled_;
};

} // namespace

std::unique_ptr<transport> file_transport(std::filesystem::path folder, std::string from) {
  if (!is_address(from)) throw std::invalid_argument("the sender of mail is not an address");
  return std::make_unique<folder_transport>(std::move(folder), std::move(from));
}

} // namespace roost::mail
