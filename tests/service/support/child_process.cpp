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

constexpr std::chrono::seconds kill_timeout{10};

[[noreturn]] void fail(const char* function) {
  throw std::system_error(errno, std::generic_category(), function);
}

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
  return ends;
}

/// Returns the test's environment as `NAME=value`, without Roost's own settings, plus that of the options.
std::vector<std::string> environment_of(const process_options& options) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (std::strncmp(*entry, "ROOST_", 6) != 0) all.emplace_back(*entry);
  for (const auto& [name, value] : options.environment) all.push_back(name + "=" + value);
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

/// Reads what is available; returns false at end of file or on an error.
bool append_from(int descriptor, std::string& output) {
  char buffer[65536];
  const auto count = ::read(descriptor, buffer, sizeof buffer);
  if (count < 0 && errno == EINTR) return true;
  if (count <= 0) return false;
  output.append(buffer, static_cast<std::size_t>(count));
  return true;
}

/// Removes what it writes from `input`; returns false once everything is written or the pipe is closed.
bool write_some(int descriptor, std::string_view& input) {
  const auto count = ::write(descriptor, input.data(), input.size());
  if (count < 0) return errno == EINTR;
  input.remove_prefix(static_cast<std::size_t>(count));
  return !input.empty();
}

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t start = 0;
  for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n', start)) {
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

/// Duplicates of descriptors, numbered from 100 so that dup2() to the child's numbers overwrites none of
/// them.
class copied_descriptors {
public:
  explicit copied_descriptors(const std::map<int, int>& descriptors) {
    constexpr int min_number = 100;
    for (const auto& [childs, ours] : descriptors)
      list_.emplace_back(childs, ::fcntl(ours, F_DUPFD_CLOEXEC, min_number));
  }
  ~copied_descriptors() {
    for (const auto& [childs, copy] : list_) ::close(copy);
  }
  copied_descriptors(const copied_descriptors&) = delete;
  copied_descriptors& operator=(const copied_descriptors&) = delete;

  const std::vector<std::pair<int, int>>& list() const { return list_; }

private:
  std::vector<std::pair<int, int>> list_;
};

/// Returns the master side of a new pseudoterminal.
int make_terminal() {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0) fail("posix_openpt");
  return terminal;
}

std::string slave_name_of(int terminal) {
  char name[64];
  if (::ptsname_r(terminal, name, sizeof name) != 0) fail("ptsname_r");
  return name;
}

} // namespace

struct child_process::pipes {
  std::array<int, 2> input = make_pipe(), output = make_pipe(), errors = make_pipe();
};

child_process::child_process(const process_options& options) {
  std::signal(SIGPIPE, SIG_IGN); // the program may end before it has read its input
  pipes ends;
  start(options, ends);
  close_once(ends.input[0]);
  close_once(ends.output[1]);
  close_once(ends.errors[1]);
  reader_ = std::thread([this, ends, input = options.input] { read_all(ends, input); });
}

void child_process::start(const process_options& options, const pipes& ends) {
  auto arguments = options.arguments;
  arguments.insert(arguments.begin(), options.program);
  auto environment = environment_of(options);
  const auto argument_pointers = pointers_to(arguments);
  const auto environment_pointers = pointers_to(environment);
  const auto folder = options.folder.string();
  const copied_descriptors descriptors(options.descriptors);
  if (options.has_terminal) terminal_ = make_terminal();
  const auto terminal = options.has_terminal ? slave_name_of(terminal_) : "";
  id_ = ::fork();
  if (id_ < 0) fail("fork");
  if (id_ == 0) { // only calls that are safe between fork and exec of a threaded process
    ::prctl(PR_SET_PDEATHSIG, SIGKILL); // a killed test leaves no child behind
    ::signal(SIGPIPE, SIG_DFL);
    if (!terminal.empty()) {
      ::setsid();
      static_cast<void>(::open(terminal.c_str(), O_RDWR)); // becomes the controlling terminal of the session
    }
    ::dup2(ends.input[0], STDIN_FILENO);
    ::dup2(ends.output[1], STDOUT_FILENO);
    ::dup2(ends.errors[1], STDERR_FILENO);
    for (const auto& [childs, copy] : descriptors.list()) ::dup2(copy, childs);
    if (folder.empty() || ::chdir(folder.c_str()) == 0)
      ::execve(options.program.c_str(), argument_pointers.data(), environment_pointers.data());
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
    output_changed_.notify_all();
  }
  close_once(ends.input[1]);
  const std::lock_guard lock(mutex_);
  finished_ = true;
  output_changed_.notify_all();
}

child_process::~child_process() {
  if (!status_) {
    ::kill(id_, SIGKILL);
    wait_for_end(kill_timeout);
  }
  reader_.join();
  ::close(handle_);
  close_terminal();
}

void child_process::send_signal(int signal) const {
  if (!status_ && ::kill(id_, signal) != 0) fail("kill");
}

void child_process::close_terminal() { close_once(terminal_); }

void child_process::suspend() const {
  send_signal(SIGSTOP);
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(id_), &info, WSTOPPED | WEXITED | WNOWAIT) != 0)
    if (errno != EINTR) fail("waitid");
}

std::optional<int> child_process::wait_for_end(std::chrono::milliseconds timeout) {
  if (status_) return status_;
  pollfd waiting{handle_, POLLIN, 0};
  if (::poll(&waiting, 1, static_cast<int>(timeout.count())) <= 0) return std::nullopt;
  int status = 0;
  if (::waitpid(id_, &status, 0) != id_) fail("waitpid");
  status_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  std::unique_lock lock(mutex_);
  output_changed_.wait_for(lock, kill_timeout, [this] { return finished_; });
  return status_;
}

bool child_process::has_ended() const {
  const std::lock_guard lock(mutex_);
  return finished_;
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
                                                        std::chrono::milliseconds timeout,
                                                        std::size_t from) const {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  std::unique_lock lock(mutex_);
  while (true) {
    const auto lines = lines_in(errors_);
    for (; from < lines.size(); ++from)
      if (matches(lines[from])) return lines[from];
    if (finished_ || output_changed_.wait_until(lock, deadline) == std::cv_status::timeout)
      return std::nullopt;
  }
}

} // namespace roost::testing
