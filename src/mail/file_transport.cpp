#include "files/private_files.hpp"
#include "mail/message.hpp"
#include "mail/transport.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace roost::mail {

namespace {

[[noreturn]] void fail(int error) {
  throw send_failed("disk", false, std::generic_category().message(error));
}

class descriptor {
public:
  descriptor(const std::filesystem::path& path, int flags)
      : fd_(::open(path.c_str(), flags | O_CLOEXEC, S_IRUSR | S_IWUSR)) {
    if (fd_ < 0) fail(errno);
  }
  descriptor(descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }

  void write(std::string_view text) {
    while (!text.empty()) {
      const auto written = ::write(fd_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail(errno);
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  /// Starts writing to the disk without waiting, so that several files are written concurrently.
  void begin_sync() { ::sync_file_range(fd_, 0, 0, SYNC_FILE_RANGE_WRITE); }

  void sync() {
    if (::fsync(fd_) != 0) fail(errno);
  }

private:
  int fd_;
};

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
    descriptor file(unfinished(name), O_WRONLY | O_CREAT | O_TRUNC);
    file.write(message);
    unsettled_.push_back({std::move(name), std::move(file)});
    return path;
  }

  /// Syncs all files together, so that a journaling file system writes its journal once.
  void settle() override {
    const std::scoped_lock lock(mutex_);
    auto files = std::exchange(unsettled_, {});
    if (files.empty()) return;
    for (auto& file : files) file.content.begin_sync();
    for (auto& file : files) file.content.sync();
    for (const auto& file : files)
      if (std::rename(unfinished(file.name).c_str(), (folder_ / file.name).c_str()) != 0) fail(errno);
    descriptor(folder_, O_RDONLY | O_DIRECTORY).sync();
  }

private:
  struct unsettled_file {
    std::string name;
    descriptor content;
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
