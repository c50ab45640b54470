#include "service/support/child_process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace roost::testing {

namespace {

constexpr std::chrono::seconds end_patience{10}; // after SIGKILL

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
  return ends;
}

/// `NAME=value` of the test's environment, without Roost's own settings, and with what the call adds.
std::vector<std::string> environment_of(const program_call& call) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (std::strncmp(*entry, "ROOST_", 6) != 0) all.emplace_back(*entry);
  for (const auto& [name, value] : call.environment) all.push_back(name + "=" + value);
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (auto& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

void close_once(int& descriptor) {
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

/// False when nothing more will come.
bool append_from(int descriptor, std::string& to) {
  char piece[65536];
  const auto count = ::read(descriptor, piece, sizeof piece);
  if (count < 0 && errno == EINTR) return true;
  if (count <= 0) return false;
  to.append(piece, static_cast<std::size_t>(count));
  return true;
}

/// False when nothing is left to write, or nobody reads.
bool write_some(int descriptor, std::string_view& from) {
  const auto count = ::write(descriptor, from.data(), from.size());
  if (count < 0) return errno == EINTR;
  from.remove_prefix(static_cast<std::size_t>(count));
  return !from.empty();
}

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t at = 0;
  for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n', at)) {
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

/// Copies with numbers that no program's own ones are among, so that taking one over closes no other.
class copied_descriptors {
public:
  explicit copied_descriptors(const std::map<int, int>& from) {
    constexpr int out_of_the_way = 100;
    for (const auto& [there, here] : from)
      list_.emplace_back(there, ::fcntl(here, F_DUPFD_CLOEXEC, out_of_the_way));
  }
  ~copied_descriptors() {
    for (const auto& [there, copy] : list_) ::close(copy);
  }
  copied_descriptors(const copied_descriptors&) = delete;
  copied_descriptors& operator=(const copied_descriptors&) = delete;

  const std::vector<std::pair<int, int>>& list() const { return list_; }

private:
  std::vector<std::pair<int, int>> list_;
};

/// The side of a new terminal on which people sit.
int make_terminal() {
  const int made = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (made < 0 || ::grantpt(made) != 0 || ::unlockpt(made) != 0) fail("posix_openpt");
  return made;
}

std::string programs_side_of(int terminal) {
  char name[64];
  if (::ptsname_r(terminal, name, sizeof name) != 0) fail("ptsname_r");
  return name;
}

} // namespace

struct child_process::pipes {
  std::array<int, 2> input = make_pipe(), output = make_pipe(), errors = make_pipe();
};

child_process::child_process(const program_call& call) {
  std::signal(SIGPIPE, SIG_IGN); // a program that ends before it has read its input
  pipes ends;
  start(call, ends);
  close_once(ends.input[0]);
  close_once(ends.output[1]);
  close_once(ends.errors[1]);
  reader_ = std::thread([this, ends, input = call.input] { read_all(ends, input); });
}

void child_process::start(const program_call& call, const pipes& ends) {
  auto arguments = call.arguments;
  arguments.insert(arguments.begin(), call.program);
  auto environment = environment_of(call);
  const auto argument_pointers = pointers_to(arguments);
  const auto environment_pointers = pointers_to(environment);
  const auto folder = call.folder.string();
  const copied_descriptors more(call.descriptors);
  if (call.has_terminal) terminal_ = make_terminal();
  const auto terminal = call.has_terminal ? programs_side_of(terminal_) : "";
  id_ = ::fork();
  if (id_ < 0) fail("fork");
  if (id_ == 0) {                       // only what is safe between fork and exec in a process with threads
    ::prctl(PR_SET_PDEATHSIG, SIGKILL); // a test that is cut off leaves nothing behind
    ::signal(SIGPIPE, SIG_DFL);
    if (!terminal.empty()) {
      ::setsid();
      static_cast<void>(
          ::open(terminal.c_str(), O_RDWR)); // the first one that a session's leader opens is its
    }
    ::dup2(ends.input[0], STDIN_FILENO);
    ::dup2(ends.output[1], STDOUT_FILENO);
    ::dup2(ends.errors[1], STDERR_FILENO);
    for (const auto& [there, here] : more.list()) ::dup2(here, there);
    if (folder.empty() || ::chdir(folder.c_str()) == 0)
      ::execve(call.program.c_str(), argument_pointers.data(), environment_pointers.data());
    ::_exit(127);
  }
  handle_ = static_cast<int>(::syscall(SYS_pidfd_open, id_, 0));
  if (handle_ < 0) fail("pidfd_open");
}

void child_process::read_all(pipes ends, std::string input) {
  std::string_view unwritten = input;
  if (unwritten.empty()) close_once(ends.input[1]);
  while (ends.output[0] >= 0 || ends.errors[0] >= 0) {
    std::array<pollfd, 3> waiting{pollfd{ends.output[0], POLLIN, 0}, pollfd{ends.errors[0], POLLIN, 0},
                                  pollfd{ends.input[1], POLLOUT, 0}};
    if (::poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) break;
    if (waiting[2].revents != 0 && !write_some(ends.input[1], unwritten)) close_once(ends.input[1]);
    const std::lock_guard lock(mutex_);
    if (waiting[0].revents != 0 && !append_from(ends.output[0], output_)) close_once(ends.output[0]);
    if (waiting[1].revents != 0 && !append_from(ends.errors[0], errors_)) close_once(ends.errors[0]);
    grown_.notify_all();
  }
  close_once(ends.input[1]);
  const std::lock_guard lock(mutex_);
  finished_ = true;
  grown_.notify_all();
}

child_process::~child_process() {
  if (!status_) {
    ::kill(id_, SIGKILL);
    wait_for_end(end_patience);
  }
  reader_.join();
  ::close(handle_);
  close_terminal();
}

void child_process::send_signal(int signal) const {
  if (!status_ && ::kill(id_, signal) != 0) fail("kill");
}

void child_process::close_terminal() { close_once(terminal_); }

void child_process::halt() const {
  send_signal(SIGSTOP);
  siginfo_t seen{};
  while (::waitid(P_PID, static_cast<id_t>(id_), &seen, WSTOPPED | WEXITED | WNOWAIT) != 0)
    if (errno != EINTR) fail("waitid");
}

std::optional<int> child_process::wait_for_end(std::chrono::milliseconds patience) {
  if (status_) return status_;
  pollfd waiting{handle_, POLLIN, 0};
  if (::poll(&waiting, 1, static_cast<int>(patience.count())) <= 0) return std::nullopt;
  int status = 0;
  if (::waitpid(id_, &status, 0) != id_) fail("waitpid");
  status_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  std::unique_lock lock(mutex_);
  grown_.wait_for(lock, end_patience, [this] { return finished_; });
  return status_;
}

std::string child_process::output() const {
  const std::lock_guard lock(mutex_);
  return output_;
}

std::string child_process::errors() const {
  const std::lock_guard lock(mutex_);
  return errors_;
}

std::vector<std::string> child_process::lines() const { return lines_in(errors()); }

std::optional<std::string> child_process::wait_for_line(const std::function<bool(std::string_view)>& matches,
                                                        std::chrono::milliseconds patience,
                                                        std::size_t from) const {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  std::unique_lock lock(mutex_);
  while (true) {
    const auto so_far = lines_in(errors_);
    for (; from < so_far.size(); ++from)
      if (matches(so_far[from])) return so_far[from];
    if (finished_ || grown_.wait_until(lock, deadline) == std::cv_status::timeout) return std::nullopt;
  }
}

} // namespace roost::testing
