#include "service/support/postgresql_cluster.hpp"

#include "service/support/running_roost.hpp"

#include <csignal>
#include <fstream>
#include <libpq-fe.h>
#include <pwd.h>
#include <stdexcept>
#include <unistd.h>

namespace roost::testing {

namespace {

const std::string programs = "/usr/lib/postgresql/15/bin/";
constexpr const char* owner = "postgres"; // PostgreSQL refuses to run as root
constexpr std::chrono::seconds command_timeout{30}, stop_timeout{20};
constexpr int start_attempts = 5;

bool is_root() { return ::geteuid() == 0; }

struct process_state {
  char state = 'X'; ///< as in /proc/PID/stat; X: no such process
  int parent = 0;
  bool ended() const { return state == 'X' || state == 'Z'; }
};

process_state state_of(int process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text, '\0');        // leaves the text empty if the process has ended
  const auto name_end = text.rfind(')'); // the name may contain any character
  if (name_end == std::string::npos) return {};
  return {text[name_end + 2], std::stoi(text.substr(name_end + 4))};
}

} // namespace

postgresql_cluster::postgresql_cluster() {
  initialize();
  for (int attempt = 1;; ++attempt) { // another process may take the port before the server does
    port_ = free_port();
    try {
      start();
      return;
    } catch (const std::runtime_error&) {
      if (attempt == start_attempts) throw;
    }
  }
}

postgresql_cluster::~postgresql_cluster() {
  if (server_->wait_for_end(std::chrono::milliseconds{0})) return;
  thaw();                        // a frozen process would not end
  server_->send_signal(SIGQUIT); // immediate, and unlike SIGKILL it leaves no shared memory behind
  if (!server_->wait_for_end(stop_timeout)) signal_all(SIGKILL);
}

std::string postgresql_cluster::url() const {
  return "postgresql://roost@127.0.0.1:" + std::to_string(port_) + "/";
}

process_options postgresql_cluster::as_owner(const std::string& program,
                                             std::vector<std::string> arguments) const {
  process_options options{.program = programs + program, .arguments = std::move(arguments), .folder = "/"};
  if (is_root()) {
    // A change of user clears the parent-death signal, which setpriv sets again.
    const std::string user = owner;
    options.arguments.insert(
        options.arguments.begin(),
        {"--reuid=" + user, "--regid=" + user, "--init-groups", "--pdeathsig=KILL", "--", options.program});
    options.program = "/usr/bin/setpriv";
  }
  return options;
}

std::filesystem::path postgresql_cluster::make_folder(const std::string& name) const {
  auto folder = folder_ / name;
  std::filesystem::create_directory(folder);
  give_to_owner(folder);
  return folder;
}

void postgresql_cluster::give_to_owner(const std::filesystem::path& folder) {
  if (!is_root()) return;
  const auto* entry = ::getpwnam(owner);
  if (!entry || ::chown(folder.c_str(), entry->pw_uid, entry->pw_gid) != 0)
    throw std::runtime_error("cannot change the owner of the test's folder to postgres");
}

void postgresql_cluster::initialize() {
  give_to_owner(folder_.path());
  child_process initdb(
      as_owner("initdb", {"--pgdata=" + (folder_ / "data").string(), "--username=roost", "--auth=trust",
                          "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync", "--no-instructions"}));
  if (initdb.wait_for_end(command_timeout) != 0) throw std::runtime_error("initdb: " + initdb.errors());
}

void postgresql_cluster::start() {
  const bool started = eventually(
      [this] { // after kill() its shared memory may still be in use
        if (!server_ || server_->wait_for_end(std::chrono::milliseconds{0})) {
          if (server_) log_ += server_->errors();
          server_ = std::make_unique<child_process>(
              as_owner("postgres", {"-D", (folder_ / "data").string(), "-k", folder_.path().string(), "-p",
                                    std::to_string(port_), "-c", "listen_addresses=127.0.0.1", "-c",
                                    "max_connections=50", "-c", "log_timezone=UTC"}));
        }
        return accepts_connections();
      },
      command_timeout);
  if (!started) throw std::runtime_error("PostgreSQL did not start: " + log_ + server_->errors());
}

bool postgresql_cluster::accepts_connections() const {
  return PQping((url() + "postgres?connect_timeout=1").c_str()) == PQPING_OK;
}

void postgresql_cluster::copy_data() const {
  child_process copying(
      {.program = "/bin/cp", .arguments = {"-a", (folder_ / "data").string(), (folder_ / "copy").string()}});
  if (copying.wait_for_end(command_timeout) != 0) throw std::runtime_error("cp: " + copying.errors());
}

void postgresql_cluster::restore_copy() const {
  std::filesystem::remove_all(folder_ / "data");
  std::filesystem::rename(folder_ / "copy", folder_ / "data");
}

void postgresql_cluster::make_replica() const {
  child_process copying(as_owner(
      "pg_basebackup", {"--dbname=" + url(), "--pgdata=" + (folder_ / "copy").string(),
                        "--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast", "--no-sync"}));
  if (copying.wait_for_end(command_timeout) != 0)
    throw std::runtime_error("pg_basebackup: " + copying.errors());
}

void postgresql_cluster::fail_over_to_replica() {
  kill();
  restore_copy();
  start();
  child_process promotion(
      as_owner("pg_ctl", {"promote", "--wait", "--pgdata=" + (folder_ / "data").string()}));
  if (promotion.wait_for_end(command_timeout) != 0)
    throw std::runtime_error("pg_ctl promote: " + promotion.errors());
}

void postgresql_cluster::stop() {
  server_->send_signal(SIGINT); // a fast shutdown: ends sessions and rolls back their transactions
  if (!server_->wait_for_end(stop_timeout)) throw std::runtime_error("PostgreSQL did not stop");
}

void postgresql_cluster::kill() {
  for (const int process : signal_all(SIGKILL))
    if (process != server_->id() && !eventually([&] { return state_of(process).ended(); }, stop_timeout))
      throw std::runtime_error("PostgreSQL survived SIGKILL");
  server_->wait_for_end(stop_timeout);
}

void postgresql_cluster::freeze() { signal_all(SIGSTOP); }

void postgresql_cluster::thaw() { signal_all(SIGCONT); }

/// Sends the signal to the server's process and its children, which include one per connection.
std::vector<int> postgresql_cluster::signal_all(int signal) const {
  server_->send_signal(SIGSTOP); // so that it starts no more children
  std::vector<int> processes{server_->id()};
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const auto name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (state_of(std::stoi(name)).parent == server_->id()) processes.push_back(std::stoi(name));
  }
  for (const int process : processes) ::kill(process, signal);
  return processes;
}

} // namespace roost::testing
