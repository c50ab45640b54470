#include "service/support/postgresql_cluster.hpp"

#include "service/support/free_port.hpp"
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
constexpr std::chrono::seconds command_patience{30}, stop_patience{20};
constexpr int start_attempts = 5;

bool is_root() { return ::geteuid() == 0; }

struct process_state {
  char state = 'X'; ///< as in /proc/PID/stat; X: there is no such process
  int parent = 0;
  bool ended() const { return state == 'X' || state == 'Z'; }
};

process_state state_of(int process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text, '\0');        // nothing if the process has ended, without an exception
  const auto name_end = text.rfind(')'); // the name may hold anything
  if (name_end == std::string::npos) return {};
  return {text[name_end + 2], std::stoi(text.substr(name_end + 4))};
}

} // namespace

postgresql_cluster::postgresql_cluster() {
  make();
  for (int attempt = 1;; ++attempt) { // somebody may take the port between the look and the start
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
  thaw();                        // what is frozen would not end
  server_->send_signal(SIGQUIT); // at once, and unlike a kill it leaves no shared memory behind
  if (!server_->wait_for_end(stop_patience)) signal_all(SIGKILL);
}

std::string postgresql_cluster::url() const {
  return "postgresql://roost@127.0.0.1:" + std::to_string(port_) + "/";
}

program_call postgresql_cluster::as_owner(const std::string& program,
                                          std::vector<std::string> arguments) const {
  program_call call{.program = programs + program, .arguments = std::move(arguments), .folder = "/"};
  if (is_root()) {
    // A change of owner clears the signal that ends a test's children with it.
    const std::string user = owner;
    call.arguments.insert(call.arguments.begin(), {"--reuid=" + user, "--regid=" + user, "--init-groups",
                                                   "--pdeathsig=KILL", "--", call.program});
    call.program = "/usr/bin/setpriv";
  }
  return call;
}

std::filesystem::path postgresql_cluster::make_folder(const std::string& name) const {
  auto made = folder_ / name;
  std::filesystem::create_directory(made);
  hand_over(made);
  return made;
}

void postgresql_cluster::hand_over(const std::filesystem::path& folder) {
  if (!is_root()) return;
  const auto* entry = ::getpwnam(owner);
  if (!entry || ::chown(folder.c_str(), entry->pw_uid, entry->pw_gid) != 0)
    throw std::runtime_error("the test's folder cannot be PostgreSQL's");
}

void postgresql_cluster::make() {
  hand_over(folder_.path());
  child_process making(
      as_owner("initdb", {"--pgdata=" + (folder_ / "data").string(), "--username=roost", "--auth=trust",
                          "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync", "--no-instructions"}));
  if (making.wait_for_end(command_patience) != 0) throw std::runtime_error("initdb: " + making.errors());
}

void postgresql_cluster::start() {
  const bool started = eventually(
      [this] { // after kill() its shared memory may be in use for a moment
        if (!server_ || server_->wait_for_end(std::chrono::milliseconds{0})) {
          if (server_) log_ += server_->errors();
          server_ = std::make_unique<child_process>(
              as_owner("postgres", {"-D", (folder_ / "data").string(), "-k", folder_.path().string(), "-p",
                                    std::to_string(port_), "-c", "listen_addresses=127.0.0.1", "-c",
                                    "max_connections=50", "-c", "log_timezone=UTC"}));
        }
        return answers();
      },
      command_patience);
  if (!started) throw std::runtime_error("PostgreSQL does not start: " + log_ + server_->errors());
}

bool postgresql_cluster::answers() const {
  return PQping((url() + "postgres?connect_timeout=1").c_str()) == PQPING_OK;
}

void postgresql_cluster::keep_copy() const {
  child_process copying(
      {.program = "/bin/cp", .arguments = {"-a", (folder_ / "data").string(), (folder_ / "copy").string()}});
  if (copying.wait_for_end(command_patience) != 0) throw std::runtime_error("cp: " + copying.errors());
}

void postgresql_cluster::bring_copy_back() const {
  std::filesystem::remove_all(folder_ / "data");
  std::filesystem::rename(folder_ / "copy", folder_ / "data");
}

void postgresql_cluster::make_replica() const {
  child_process copying(as_owner(
      "pg_basebackup", {"--dbname=" + url(), "--pgdata=" + (folder_ / "copy").string(),
                        "--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast", "--no-sync"}));
  if (copying.wait_for_end(command_patience) != 0)
    throw std::runtime_error("pg_basebackup: " + copying.errors());
}

void postgresql_cluster::fail_over_to_replica() {
  kill();
  bring_copy_back();
  start();
  child_process promoting(
      as_owner("pg_ctl", {"promote", "--wait", "--pgdata=" + (folder_ / "data").string()}));
  if (promoting.wait_for_end(command_patience) != 0)
    throw std::runtime_error("pg_ctl promote: " + promoting.errors());
}

void postgresql_cluster::stop() {
  server_->send_signal(SIGINT); // a fast shutdown: sessions are ended, what they have not committed is undone
  if (!server_->wait_for_end(stop_patience)) throw std::runtime_error("PostgreSQL does not end");
}

void postgresql_cluster::kill() {
  for (const int process : signal_all(SIGKILL))
    if (process != server_->id() && !eventually([&] { return state_of(process).ended(); }, stop_patience))
      throw std::runtime_error("PostgreSQL outlives SIGKILL");
  server_->wait_for_end(stop_patience);
}

void postgresql_cluster::freeze() { signal_all(SIGSTOP); }

void postgresql_cluster::thaw() { signal_all(SIGCONT); }

/// To the server's process and its children, of which each connection has one.
std::vector<int> postgresql_cluster::signal_all(int signal) const {
  server_->send_signal(SIGSTOP); // no more children meanwhile
  std::vector<int> all{server_->id()};
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const auto name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (state_of(std::stoi(name)).parent == server_->id()) all.push_back(std::stoi(name));
  }
  for (const int process : all) ::kill(process, signal);
  return all;
}

} // namespace roost::testing
