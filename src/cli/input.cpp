#include "cli/input.hpp"

#include "domain/entered_text.hpp"
#include "store/sessions/users.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <system_error>
#include <termios.h>
#include <unistd.h>

namespace roost::cli {

namespace {

[[noreturn]] void throw_unknown(const char* kind, const domain::uuid& id) {
  throw std::runtime_error(std::string("there is no ") + kind + " with the id " + domain::to_string(id));
}

/// Turns off the echo of the terminal on standard input during its lifetime.
class hidden_typing {
public:
  hidden_typing() : is_terminal_(::tcgetattr(STDIN_FILENO, &saved_) == 0) {
    if (!is_terminal_) return;
    termios hidden = saved_;
    hidden.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden);
  }
  ~hidden_typing() {
    if (is_terminal_) ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &saved_);
  }
  hidden_typing(const hidden_typing&) = delete;
  hidden_typing& operator=(const hidden_typing&) = delete;

  bool is_terminal() const { return is_terminal_; }

private:
  termios saved_{};
  bool is_terminal_;
};

} // namespace

domain::uuid parse_id(const std::string& text) {
  const auto id = domain::parse_uuid(text);
  if (!id)
    throw usage_error("'" + text + "' is not an id; it looks like 0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001");
  return *id;
}

std::optional<std::string> text_if_given(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional{text};
}

const domain::platform* find_platform(const config::settings& settings, const std::string& name) {
  const auto known = std::ranges::find(settings.platforms, name, &domain::platform::name);
  return known == settings.platforms.end() ? nullptr : &*known;
}

void require_platform(const config::settings& settings, const std::string& name) {
  if (find_platform(settings, name)) return;
  std::string known;
  for (const auto& platform : settings.platforms) known += (known.empty() ? "" : ", ") + platform.name;
  throw usage_error("unknown platform '" + name + "'; configured platforms: " + known);
}

bool is_decidable(store::session& db, const config::settings& settings, const std::string& platform) {
  const auto* known = find_platform(settings, platform);
  if (!known) return false;
  if (!domain::traits_of(*known).is_single_landlord) return true;
  return known->account && !store::list_accounts(db, *known->account, 1).empty();
}

store::account_overview require_account(store::session& db, const domain::uuid& id) {
  auto matches = store::list_accounts(db, id, 1);
  if (matches.empty()) throw_unknown("account", id);
  return std::move(matches.front());
}

store::unit_overview require_unit(store::session& db, const domain::uuid& id) {
  auto matches = store::list_units(db, {.id = id}, 1);
  if (matches.empty()) throw_unknown("unit", id);
  return std::move(matches.front());
}

domain::uuid require_user(store::session& db, const std::string& email) {
  const auto user = store::find_user(db, email);
  if (!user) throw std::runtime_error("no user has the address " + email);
  return user->id;
}

std::optional<domain::uuid> account_of_user(store::session& db, const domain::uuid& id) {
  const auto user = store::find_user(db, id);
  return user ? std::optional{user->account_id} : std::nullopt;
}

std::optional<domain::uuid> account_of_user(store::session& db, const std::string& email) {
  const auto user = store::find_user(db, email);
  return user ? std::optional{user->account_id} : std::nullopt;
}

std::optional<domain::uuid> account_if_given(store::session& db, const std::string& text) {
  if (text.empty()) return std::nullopt;
  return require_account(db, parse_id(text)).id;
}

std::optional<domain::uuid> property_if_given(store::session& db, const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto id = parse_id(text);
  if (store::list_properties(db, {.id = id}, 1).empty()) throw_unknown("property", id);
  return id;
}

std::optional<domain::uuid> unit_if_given(store::session& db, const std::string& text) {
  if (text.empty()) return std::nullopt;
  return require_unit(db, parse_id(text)).id;
}

/// Reads until the end instead of asking for the size, because pipes have none.
std::string read_file(const std::string& name) {
  std::error_code ignored;
  errno = 0;
  std::ifstream file{name, std::ios::binary};
  if (!file) throw usage_error(name + ": cannot be read: " + std::generic_category().message(errno));
  if (std::filesystem::is_directory(name, ignored)) throw usage_error(name + ": is a folder, not a file");
  std::string text;
  constexpr std::size_t step = 1 << 20;
  std::size_t size = 0;
  do {
    text.resize(size + step);
    file.read(text.data() + size, step);
    size += static_cast<std::size_t>(file.gcount());
  } while (file);
  if (file.bad())
    throw usage_error(name + ": cannot be read to its end: " + std::generic_category().message(errno));
  text.resize(size);
  return text;
}

std::string read_hidden_line(const char* prompt) {
  const hidden_typing hidden;
  if (hidden.is_terminal()) std::cerr << prompt << std::flush;
  std::string line;
  std::getline(std::cin, line);
  if (hidden.is_terminal()) std::cerr << '\n';
  if (line.ends_with('\r')) line.pop_back();
  return std::string(domain::without_byte_order_mark(line));
}

} // namespace roost::cli
