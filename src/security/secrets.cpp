#include "security/secrets.hpp"

#include "security/digest.hpp"
#include "security/random.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace roost::security {

namespace {

namespace fs = std::filesystem;

constexpr mode_t owner_only = 0600;
constexpr mode_t others = 0077;
constexpr off_t largest_file = 64 * 1024;

[[noreturn]] void fail(const fs::path& path, const std::string& what) {
  throw secrets_error(path.string() + ": " + what);
}

[[noreturn]] void fail_with_errno(const fs::path& path, const std::string& what) {
  fail(path, what + ": " + std::generic_category().message(errno));
}

/// An open file, closed at the end.
class open_file {
public:
  open_file(const fs::path& path, int flags)
      : descriptor_(::open(path.c_str(), flags | O_CLOEXEC, owner_only)) {}
  ~open_file() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  open_file(const open_file&) = delete;
  open_file& operator=(const open_file&) = delete;

  explicit operator bool() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }

private:
  int descriptor_;
};

std::string read_all(const open_file& file, const fs::path& path) {
  std::string text;
  char buffer[4096];
  for (;;) {
    const auto count = ::read(file.descriptor(), buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_with_errno(path, "cannot be read");
    if (count == 0) return text;
    text.append(buffer, static_cast<std::size_t>(count));
  }
}

void write_all(const open_file& file, const fs::path& path, std::string_view text) {
  while (!text.empty()) {
    const auto count = ::write(file.descriptor(), text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_with_errno(path, "cannot be written");
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  if (::fsync(file.descriptor()) != 0) fail_with_errno(path, "cannot be written to the disk");
}

void check_mode(const open_file& file, const fs::path& path) {
  struct stat status {};
  if (::fstat(file.descriptor(), &status) != 0) fail_with_errno(path, "cannot be examined");
  if (!S_ISREG(status.st_mode)) fail(path, "is not a file");
  if (status.st_size > largest_file) fail(path, "is too large to be a secrets file");
  if ((status.st_mode & others) != 0)
    fail(path, "can be read or changed by others than its owner; run: chmod 600 " + path.string());
}

signing_key parse_key(const std::string& text, const fs::path& path) {
  std::optional<std::string> hex;
  try {
    hex = toml::parse(text)["partner_tokens"]["signing_key"].value<std::string>();
  } catch (const toml::parse_error& error) {
    fail(path, "is not valid TOML, line " + std::to_string(error.source().begin.line));
  }
  const auto bytes = hex ? from_hex(*hex) : std::nullopt;
  signing_key key;
  if (!bytes || bytes->size() != key.size())
    fail(path, "has no partner_tokens.signing_key of 64 hexadecimal digits");
  std::ranges::copy(*bytes, key.begin());
  return key;
}

/// None when there is no such file.
std::optional<secrets> load(const fs::path& path) {
  const open_file file(path, O_RDONLY);
  if (!file) {
    if (errno == ENOENT) return std::nullopt;
    fail_with_errno(path, "cannot be opened");
  }
  check_mode(file, path);
  return secrets{parse_key(read_all(file, path), path)};
}

void make_folder(const fs::path& folder) {
  if (folder.empty() || ::access(folder.c_str(), F_OK) == 0) return;
  make_folder(folder.parent_path());
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) fail_with_errno(folder, "cannot be made");
}

std::string new_document() {
  signing_key key;
  fill_random(key);
  return "# Made by Roost on its first start. Keep it secret, and keep a copy: without it every partner "
         "token has "
         "to be issued\n# again.\n\n[partner_tokens]\nsigning_key = \"" +
         to_hex(key) + "\"\n";
}

/// Deletes a file at the end.
struct removal {
  const fs::path& path;
  ~removal() { ::unlink(path.c_str()); }
};

/// Writes a file beside `path` and links it to that name, which fails when another process was faster. So the
/// name never stands for half a file, and what is there is never replaced.
void create(const fs::path& path) {
  const auto folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  make_folder(folder);
  const auto draft = fs::path(path.string() + '.' + domain::to_string(random_uuid()));
  const open_file file(draft, O_WRONLY | O_CREAT | O_EXCL);
  if (!file) fail_with_errno(path, "cannot be made");
  const removal at_end{draft};
  if (::fchmod(file.descriptor(), owner_only) != 0) fail_with_errno(path, "cannot be made private");
  write_all(file, draft, new_document());
  if (::link(draft.c_str(), path.c_str()) != 0 && errno != EEXIST) fail_with_errno(path, "cannot be made");
  const open_file directory(folder, O_RDONLY | O_DIRECTORY);
  if (!directory || ::fsync(directory.descriptor()) != 0)
    fail_with_errno(folder, "cannot be written to the disk");
}

} // namespace

secrets secrets::load_or_create(const fs::path& path) {
  if (auto found = load(path)) return *found;
  create(path);
  if (auto made = load(path)) return *made;
  fail(path, "disappeared while it was made");
}

} // namespace roost::security
