#include "security/secrets.hpp"

#include "files/private_files.hpp"
#include "security/random.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <span>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace roost::security {

const named_key* key_ring::find(std::string_view id) const {
  const auto found = std::ranges::find(keys_, id, &named_key::id);
  return found == keys_.end() ? nullptr : &*found;
}

sha256_digest keyed_hash(const signing_key& key, std::string_view purpose, std::string_view text) {
  std::string message;
  message.reserve(purpose.size() + 1 + text.size());
  message.append(purpose).append(1, '\0').append(text);
  return hmac_sha256(key, message);
}

std::string sealed(const key_ring& keys, std::string_view purpose, std::string_view text) {
  return keys.newest().id + ':' + to_hex(keyed_hash(keys.newest().key, purpose, text));
}

bool seal_matches(const key_ring& keys, std::string_view purpose, std::string_view text,
                  std::string_view seal) {
  const auto colon = seal.find(':');
  if (colon == std::string_view::npos) return false;
  const auto* key = keys.find(seal.substr(0, colon));
  return key != nullptr &&
         equal_in_constant_time(to_hex(keyed_hash(key->key, purpose, text)), seal.substr(colon + 1));
}

std::string submission_digest(const signing_key& key, std::string_view canonical_text) {
  constexpr std::size_t digits_of_id = 8;
  return to_hex(keyed_hash(key, "id of submission key", "")).substr(0, digits_of_id) + ':' +
         to_hex(keyed_hash(key, "submission", canonical_text));
}

namespace {

namespace fs = std::filesystem;
using files::open_file;

constexpr mode_t owner_only = 0600;
constexpr mode_t others = 0077;
constexpr mode_t permissions = 0777, read_only_with_group = 0440;
constexpr off_t max_file_size = 64 * 1024;

[[noreturn]] void fail(const fs::path& path, const std::string& error) {
  throw secrets_error(path.string() + ": " + error);
}

[[noreturn]] void fail_with_errno(const fs::path& path, const std::string& error) {
  fail(path, error + ": " + std::generic_category().message(errno));
}

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
  if (!file.write(text)) fail_with_errno(path, "cannot be written");
  if (::fsync(file.descriptor()) != 0) fail_with_errno(path, "cannot be written to the disk");
}

/// Returns whether the group is one of the process's own.
bool is_own_group(gid_t group) {
  if (group == ::getegid()) return true;
  const int count = ::getgroups(0, nullptr);
  std::vector<gid_t> groups(static_cast<std::size_t>(std::max(count, 0)));
  const int read = ::getgroups(static_cast<int>(groups.size()), groups.data());
  groups.resize(static_cast<std::size_t>(std::max(read, 0)));
  return std::ranges::find(groups, group) != groups.end();
}

/// Kubernetes mounts secrets read-only for their owner, root, and a group of the process.
void check_mode(const open_file& file, const fs::path& path) {
  struct stat status {};
  if (::fstat(file.descriptor(), &status) != 0) fail_with_errno(path, "cannot be examined");
  if (!S_ISREG(status.st_mode)) fail(path, "is not a file");
  if (status.st_size > max_file_size) fail(path, "is too large to be a secrets file");
  if ((status.st_mode & permissions) == read_only_with_group && is_own_group(status.st_gid)) return;
  if ((status.st_mode & others) != 0)
    fail(path, "can be read or changed by others than its owner; run: chmod 600 " + path.string());
}

signing_key parse_key(const std::optional<std::string>& hex, const fs::path& path, const char* name) {
  const auto bytes = hex ? from_hex(*hex) : std::nullopt;
  signing_key key;
  if (!bytes || bytes->size() != key.size())
    fail(path, std::string("has no ") + name + " of 64 hexadecimal digits");
  std::ranges::copy(*bytes, key.begin());
  return key;
}

/// Derives the first session key if the file contains none, so that older files need not be rewritten.
named_key derived_key(const signing_key& token_key) {
  return {"0", keyed_hash(token_key, "session key", ""), {}};
}

/// Derives the key of submissions if the file contains none. Commands that rewrite such a file add the key,
/// so that it outlives the key that it was derived from.
signing_key derived_submission_key(const signing_key& oldest_token_key) {
  return keyed_hash(oldest_token_key, "submission key", "");
}

std::vector<named_key> parse_session_keys(const toml::table& document, const fs::path& path) {
  std::vector<named_key> keys;
  const auto* listed = document["session_keys"].as_array();
  if (listed == nullptr) return keys;
  for (const auto& each : *listed) {
    const auto* entry = each.as_table();
    if (entry == nullptr) fail(path, "session_keys is not a list of tables");
    const auto id = (*entry)["id"].value<std::string>();
    const auto made_at = (*entry)["made_at"].value<std::int64_t>();
    if (!id || id->empty() || !made_at) fail(path, "has a session key without id or made_at");
    keys.push_back({*id, parse_key((*entry)["key"].value<std::string>(), path, "session_keys.key"),
                    std::chrono::sys_seconds(std::chrono::seconds(*made_at))});
  }
  return keys;
}

std::vector<signing_key> parse_replaced_token_keys(const toml::table& document, const fs::path& path) {
  std::vector<signing_key> keys;
  const auto* listed = document["partner_tokens"]["replaced_keys"].as_array();
  if (listed == nullptr) return keys;
  for (const auto& each : *listed)
    keys.push_back(parse_key(each.value<std::string>(), path, "partner_tokens.replaced_keys"));
  return keys;
}

secrets parse(const std::string& text, const fs::path& path) {
  try {
    const auto document = toml::parse(text);
    const auto token_key = parse_key(document["partner_tokens"]["signing_key"].value<std::string>(), path,
                                     "partner_tokens.signing_key");
    auto keys = parse_session_keys(document, path);
    if (keys.empty()) keys.push_back(derived_key(token_key));
    secrets parsed{token_key, key_ring(std::move(keys)), parse_replaced_token_keys(document, path)};
    const auto submission_key = document["submissions"]["digest_key"];
    parsed.submission_key =
        submission_key ? parse_key(submission_key.value<std::string>(), path, "submissions.digest_key")
                       : derived_submission_key(parsed.token_keys().back());
    return parsed;
  } catch (const toml::parse_error& error) {
    fail(path, "is not valid TOML, line " + std::to_string(error.source().begin.line));
  }
}

std::string document_of(const signing_key& token_key, const signing_key& submission_key,
                        std::span<const named_key> session_keys = {},
                        std::span<const signing_key> replaced_token_keys = {}) {
  std::string text = "# Created by Roost. Keep it secret, and keep a copy: without it, every partner token "
                     "must be reissued,\n"
                     "# and all users must sign in again.\n\n[partner_tokens]\nsigning_key = \"" +
                     to_hex(token_key) + "\"\n";
  if (!replaced_token_keys.empty()) {
    text += "replaced_keys = [";
    for (const auto& each : replaced_token_keys) text += "\n  \"" + to_hex(each) + "\",";
    text += "\n]\n";
  }
  text += "\n[submissions]\ndigest_key = \"" + to_hex(submission_key) + "\"\n";
  for (const auto& each : session_keys)
    text += "\n[[session_keys]]\nid = \"" + each.id + "\"\nkey = \"" + to_hex(each.key) +
            "\"\nmade_at = " + std::to_string(each.made_at.time_since_epoch().count()) + "\n";
  return text;
}

signing_key random_key() {
  signing_key key;
  fill_random(key);
  return key;
}

/// Deletes a file on destruction.
struct file_remover {
  const fs::path& path;
  ~file_remover() { ::unlink(path.c_str()); }
};

void sync_folder(const fs::path& folder) {
  const open_file directory(folder, O_RDONLY | O_DIRECTORY);
  if (!directory || ::fsync(directory.descriptor()) != 0)
    fail_with_errno(folder, "cannot be written to the disk");
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

enum class write_mode { create_only, replace };

/// Gives the new file to the owner of the replaced one, and to its group if that may read it: the service
/// must be able to read it if root wrote it.
void keep_access(const open_file& file, const fs::path& replaced) {
  struct stat status {};
  if (::stat(replaced.c_str(), &status) != 0) fail_with_errno(replaced, "cannot be examined");
  const bool is_group_reading = (status.st_mode & permissions) == read_only_with_group;
  if (status.st_uid == ::geteuid() && !is_group_reading) return;
  if (::fchown(file.descriptor(), status.st_uid, status.st_gid) != 0)
    fail_with_errno(replaced, "cannot keep its owner");
  if (is_group_reading && ::fchmod(file.descriptor(), read_only_with_group) != 0)
    fail_with_errno(replaced, "cannot keep its mode");
}

/// Writes a draft next to `path` and then renames it, so that readers never see a partial file. With
/// create_only, an existing file is kept: another process was faster.
void write_file(const fs::path& path, const std::string& text, write_mode mode) {
  const auto draft = fs::path(path.string() + '.' + domain::to_string(random_uuid()));
  const open_file file(draft, O_WRONLY | O_CREAT | O_EXCL);
  if (!file) fail_with_errno(path, "cannot be created");
  const file_remover remover{draft};
  if (::fchmod(file.descriptor(), owner_only) != 0) fail_with_errno(path, "cannot be made private");
  if (mode == write_mode::replace) keep_access(file, path);
  write_all(file, draft, text);
  const int named = mode == write_mode::replace ? ::rename(draft.c_str(), path.c_str())
                                                : ::link(draft.c_str(), path.c_str());
  if (named != 0 && (mode == write_mode::replace || errno != EEXIST))
    fail_with_errno(path, "cannot be created");
  sync_folder(folder_of(path));
}

/// Returns the keys that are still needed. A key is replaced when the next one is created.
std::vector<named_key> still_needed(const std::vector<named_key>& keys, std::chrono::sys_seconds now) {
  std::vector<named_key> kept;
  auto replaced_at = now;
  for (const auto& each : keys) {
    if (now - replaced_at <= kept_after_rotation) kept.push_back(each);
    replaced_at = each.made_at;
  }
  return kept;
}

} // namespace

std::optional<secrets> secrets::load(const fs::path& path) {
  const open_file file(path, O_RDONLY);
  if (!file) {
    if (errno == ENOENT) return std::nullopt;
    fail_with_errno(path, "cannot be opened");
  }
  check_mode(file, path);
  return parse(read_all(file, path), path);
}

secrets secrets::load_or_create(const fs::path& path) {
  if (auto loaded = load(path)) return *loaded;
  if (const auto error = files::make_private_folder(folder_of(path)))
    fail(folder_of(path), "cannot be created: " + error.message());
  write_file(path, document_of(random_key(), random_key()), write_mode::create_only);
  if (auto loaded = load(path)) return *loaded;
  fail(path, "disappeared while it was being created");
}

std::vector<signing_key> secrets::token_keys() const {
  std::vector<signing_key> keys{token_key};
  keys.insert(keys.end(), replaced_token_keys.begin(), replaced_token_keys.end());
  return keys;
}

std::string secrets::fingerprint() const {
  constexpr std::size_t digits = 16; // enough to distinguish keys without helping to guess one
  return to_hex(keyed_hash(token_keys().back(), "fingerprint", "")).substr(0, digits);
}

namespace {

/// Holds the lock under which commands replace a secrets file, and its content.
struct locked_secrets {
  explicit locked_secrets(const fs::path& path) {
    secrets::load_or_create(path); // creates the folder
    folder.emplace(folder_of(path), O_RDONLY | O_DIRECTORY);
    if (!*folder || ::flock(folder->descriptor(), LOCK_EX) != 0) fail_with_errno(path, "cannot be locked");
    current.emplace(secrets::load_or_create(path));
  }

  std::optional<open_file> folder;
  std::optional<secrets> current;
};

} // namespace

std::string rotate_session_keys(const fs::path& path, std::chrono::sys_seconds now, bool drop_all,
                                std::optional<std::chrono::sys_seconds> earlier) {
  const locked_secrets file(path);
  std::vector<named_key> keys{{domain::to_string(random_uuid()).substr(0, 8), random_key(), now}};
  if (!drop_all)
    for (auto& kept : still_needed(file.current->session_keys.all(), earlier.value_or(now)))
      keys.push_back(std::move(kept));
  write_file(path,
             document_of(file.current->token_key, file.current->submission_key, keys,
                         file.current->replaced_token_keys),
             write_mode::replace);
  return keys.front().id;
}

std::size_t rotate_token_key(const fs::path& path) {
  const locked_secrets file(path);
  const auto replaced = file.current->token_keys();
  // Other keys are written even if they were derived: they must not depend on the new key.
  write_file(
      path,
      document_of(random_key(), file.current->submission_key, file.current->session_keys.all(), replaced),
      write_mode::replace);
  return replaced.size() + 1;
}

std::size_t drop_replaced_token_keys(const fs::path& path) {
  const locked_secrets file(path);
  const auto dropped = file.current->replaced_token_keys.size();
  if (dropped > 0)
    write_file(
        path,
        document_of(file.current->token_key, file.current->submission_key, file.current->session_keys.all()),
        write_mode::replace);
  return dropped;
}

} // namespace roost::security
