#include "simulation/prepared_world.hpp"

#include "cli/commands.hpp"
#include "config/load.hpp"
#include "service/support/portfolio.hpp"
#include "simulation/clients/imported_account.hpp"
#include "simulation/clients/known_connection.hpp"
#include "simulation/clients/known_user.hpp"
#include "simulation/interruption.hpp"
#include "simulation/virtual_clock.hpp"

#include <array>
#include <fstream>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace roost::testing {

namespace {

constexpr const char* store_name = "roost.db";

std::string read_all(int from) {
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t size = 0; (size = ::read(from, part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(size));
  return text;
}

/// Runs in a child process, because the commands print their results.
[[noreturn]] void run_in_child(std::vector<std::string> arguments, const std::string& purpose, int output) {
  interruption::end_with_parent();
  virtual_clock::start(std::hash<std::string>{}(purpose)); // gives each command different ids
  ::clearenv();                                            // tests set variables that are not settings
  ::dup2(output, STDOUT_FILENO);
  std::vector<char*> words;
  for (auto& each : arguments) words.push_back(each.data());
  const int status = cli::run(static_cast<int>(words.size()), words.data());
  std::fflush(stdout);
  ::_exit(status);
}

std::string users_json(const std::vector<prepared_world::user>& users) {
  std::string list;
  unsigned number = 0;
  for (const auto& each : users)
    list += (list.empty() ? R"([{"id":"22222222-0000-4000-8000-00000000000)"
                          : R"(,{"id":"22222222-0000-4000-8000-00000000000)") +
            std::to_string(++number) + R"(","email":")" + each.email + R"(","password":")" + each.password +
            R"(","firstName":"User","lastName":"Robledo","role":"Admin"})";
  return list + "]";
}

/// The routes whose rate limits are disabled, because all clients have the same address.
constexpr std::array unlimited{"login",     "verify_otp", "resend_otp", "refresh",  "logout", "management",
                               "discovery", "register",   "authorize",  "decision", "token"};

} // namespace

prepared_world::prepared_world(std::filesystem::path folder) : folder_(std::move(folder)) {
  const auto portfolio = folder_ / "portfolio.json";
  auto all_users = users_;
  all_users.push_back(clerk_);
  std::ofstream(portfolio) << portfolio_of(
      clients_.units, {{account_pointer + "/aiAreas", R"({"bookings":"read-only"})"},
                       {account_pointer + "/aiBudget", R"({"monthly":1,"warnAt":[0.1,0.5,1]})"},
                       {account_pointer + "/users", users_json(all_users)}});
  run({"migrate"});
  run({"import", portfolio.string()});
  const auto imported = folder_ / "imported.json";
  std::ofstream(imported) << imported_account::file_of(0);
  run({"import", imported.string()});
  for (const auto* platform : {"marketplace-a", "marketplace-b", "marketplace-c", "marketplace-d",
                               "booking-engine", "channel-manager"})
    clients_.tokens[platform] = run({"token", "issue", "--platform", platform});
  clients_.account_key = run({"key", "issue", "--account", account_id});
  keys_ = {run({"tool-server-key", "issue"}), run({"usage-key", "issue"})};
}

std::vector<std::string> prepared_world::settings_in(const std::filesystem::path& folder) const {
  using budgets = sign_in_budgets;
  std::vector<std::string> settings{
      "store.url=sqlite3://" + (folder / store_name).string(),
      "secrets.file=" + (folder_ / "secrets.toml").string(),
      "mail.transport=file:" + (folder / "outbox").string(),
      "bookings.cycle=500ms",
      "connector.refresh_grace=" + std::to_string(connector_grace.count()) + "s",
      "sessions.password_memory=8",
      "sessions.password_passes=1",
      "sessions.code_tries=" + std::to_string(budgets::code_tries),
      "sessions.code_resends=" + std::to_string(budgets::code_resends),
      "sessions.codes_per_15m=" + std::to_string(budgets::codes),
      "sessions.wrong_passwords_per_15m=" + std::to_string(budgets::wrong_passwords),
      "log.level=error"};
  for (const auto* each : unlimited) settings.push_back(std::string("rate_limits.") + each + "=0");
  return settings;
}

std::string prepared_world::run(std::vector<std::string> arguments) const {
  std::string purpose;
  for (const auto& each : arguments) purpose += ' ' + each;
  arguments.insert(arguments.begin(), "roost");
  for (auto& each : settings_in(folder_)) arguments.insert(arguments.end(), {"--set", each});
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  const auto child = ::fork();
  if (child == 0) run_in_child(std::move(arguments), purpose, ends[1]);
  ::close(ends[1]);
  auto output = read_all(ends[0]);
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (status != 0) throw std::runtime_error("the command failed: roost" + purpose);
  return output.substr(0, output.find('\n'));
}

config::settings prepared_world::copy_to(const std::filesystem::path& folder) const {
  std::filesystem::create_directories(folder);
  std::filesystem::copy_file(folder_ / store_name, folder / store_name);
  config::options options;
  options.search = {};
  options.set = settings_in(folder);
  return config::load(options).values;
}

mixed_settings prepared_world::clients(std::uint32_t seed) const {
  auto clients = clients_;
  clients.seed = seed;
  clients.newest_percent = 40;
  return clients;
}

} // namespace roost::testing
