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

  /// Has the disk begin to write, while others are begun, too.
  void begin_sync() { ::sync_file_range(fd_, 0, 0, SYNC_FILE_RANGE_WRITE); }

  void sync() {
    if (::fsync(fd_) != 0) fail(errno);
  }

private:
  int fd_;
};

/// `20261120T093000123Z-<id>.eml`: sorts by time, and is the same for the same mail.
std::string file_name(const domain::outgoing_mail& mail) {
  auto name = domain::to_string(mail.created_at);
  std::erase_if(name, [](char c) { return c == '-' || c == ':' || c == '.'; });
  return name + "-" + domain::to_string(mail.id) + ".eml";
}

class to_folder final : public transport {
public:
  to_folder(std::filesystem::path folder, std::string from)
      : folder_(std::move(folder)), from_(std::move(from)) {}

  std::string send(const domain::outgoing_mail& mail) override {
    const auto message = to_rfc5322(mail, from_);
    auto name = file_name(mail);
    auto path = (folder_ / name).string();
    const std::scoped_lock turn(turns_);
    make_folder();
    std::erase_if(written_, [&](const written& each) { return each.name == name; });
    descriptor file(unfinished(name), O_WRONLY | O_CREAT | O_TRUNC);
    file.write(message);
    written_.push_back({std::move(name), std::move(file)});
    return path;
  }

  /// A journaling file system writes its journal once for all of them.
  void settle() override {
    const std::scoped_lock turn(turns_);
    auto all = std::exchange(written_, {});
    if (all.empty()) return;
    for (auto& each : all) each.file.begin_sync();
    for (auto& each : all) each.file.sync();
    for (const auto& each : all)
      if (std::rename(unfinished(each.name).c_str(), (folder_ / each.name).c_str()) != 0) fail(errno);
    descriptor(folder_, O_RDONLY | O_DIRECTORY).sync();
  }

private:
  struct written {
    std::string name;
    descriptor file;
  };

  /// What a crash leaves of it, the next attempt replaces.
  std::filesystem::path unfinished(const std::string& name) const { return folder_ / ("." + name + ".part"); }

  /// At each message, because people tidy up folders of running servers. For its owner alone: mails hold
  /// codes and links that sign in.
  void make_folder() const {
    if (const auto failed = files::make_private_folder(folder_)) fail(failed.value());
  }

  std::filesystem::path folder_;
  std::string from_;
  std::mutex turns_;
  std::vector<written> written_; ///< since the last settle()
};

} // namespace

std::unique_ptr<transport> file_transport(std::filesystem::path folder, std::string from) {
  if (!is_address(from)) throw std::invalid_argument("the sender of mail is not an address");
  return std::make_unique<to_folder>(std::move(folder), std::move(from));
}

} // namespace roost::mail
