#include "top/screen.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <limits>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

namespace roost::top {

namespace {

constexpr std::size_t max_rows = 10; ///< of one table when the screen is small

[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...) {
  char text[256];
  va_list values;
  va_start(values, pattern);
  std::vsnprintf(text, sizeof text, pattern, values);
  va_end(values);
  return text;
}

/// `12us`, `3.4ms`, `1.2s`, `35m`; `-` for nullopt.
std::string time_text(std::optional<double> seconds) {
  if (!seconds) return "-";
  if (*seconds < 1e-3) return format("%.0fus", *seconds * 1e6);
  if (*seconds < 1) return format("%.*fms", *seconds < 0.01 ? 1 : 0, *seconds * 1e3);
  if (*seconds < 100) return format("%.1fs", *seconds);
  return format("%.0fm", *seconds / 60);
}

/// `0`, `0.4`, `12`, `57.3k`, `1.2M`.
std::string count_text(double value) {
  if (value >= 1e6) return format("%.1fM", value / 1e6);
  if (value >= 1e4) return format("%.1fk", value / 1e3);
  if (value > 0 && value < 10 && value != std::floor(value)) return format("%.1f", value);
  return format("%.0f", value);
}

std::string pair_text(const quantiles& times) { return time_text(times.p50) + "/" + time_text(times.p99); }

std::string share_text(double share) { return format("%.0f%%", share * 100); }

/// Cuts or pads `text` to this many columns, counting UTF-8 characters; control characters become `?`.
std::string fitted(const std::string& text, std::size_t columns) {
  std::string kept;
  std::size_t used = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool begins = (byte & 0xc0) != 0x80;
    if (begins && used == columns) break;
    used += begins;
    kept += byte < ' ' || byte == 0x7f ? '?' : c;
  }
  return kept + std::string(columns - std::min(used, columns), ' ');
}

struct table {
  std::string title;
  std::vector<std::string> rows;
};

table stages(const view& figures) {
  table result{"LATENCY p50/p99      /s       waiting          deciding        committing", {}};
  for (const auto& each : figures.stages)
    result.rows.push_back(format("%-16s%8s%17s%18s%18s", each.name.c_str(), count_text(each.rate).c_str(),
                                 pair_text(each.waiting).c_str(), pair_text(each.deciding).c_str(),
                                 pair_text(each.committing).c_str()));
  return result;
}

table threads(const view& figures) {
  table result{"THREAD              cpu  in actors   runs/s  steals/s  queue  stalls", {}};
  for (const auto& each : figures.threads)
    result.rows.push_back(format("%-17s%6s%11s%9s%10s%7s%8s", each.name.c_str(), share_text(each.cpu).c_str(),
                                 share_text(each.busy).c_str(), count_text(each.runs).c_str(),
                                 count_text(each.steals).c_str(), count_text(each.queue).c_str(),
                                 count_text(each.stalls).c_str()));
  return result;
}

table lanes(const view& figures) {
  table result{"STORE LANE              busy   jobs/s  waiting   wait p50/p99", {}};
  for (const auto& each : figures.lanes)
    result.rows.push_back(format("%-22s%6s%9s%9s%15s", each.name.c_str(), share_text(each.busy).c_str(),
                                 count_text(each.jobs).c_str(), count_text(each.waiting).c_str(),
                                 pair_text(each.wait).c_str()));
  return result;
}

table actors(const view& figures) {
  table result{"ACTOR               alive  runs/s  msgs/s   run p50/p99  wait p50/p99  deepest", {}};
  for (const auto& each : figures.actors)
    result.rows.push_back(format("%-18s%7s%8s%8s%14s%14s%9s", each.type.c_str(),
                                 count_text(each.alive).c_str(), count_text(each.runs).c_str(),
                                 count_text(each.messages).c_str(), pair_text(each.run).c_str(),
                                 pair_text(each.wait).c_str(), count_text(each.max_depth).c_str()));
  return result;
}

table platforms(const view& figures) {
  table result{"PLATFORM             reads/s  writes/s  refused/s      p50/p99", {}};
  for (const auto& each : figures.platforms)
    if (each.reads + each.writes > 0)
      result.rows.push_back(format("%-19s%9s%10s%11s%13s", each.name.c_str(), count_text(each.reads).c_str(),
                                   count_text(each.writes).c_str(), count_text(each.refused).c_str(),
                                   pair_text(each.latency).c_str()));
  return result;
}

table busiest(const std::string& heading, const std::vector<hot_row>& entries) {
  constexpr std::size_t name_columns = 26;
  table result{heading + "  reads/s  taken/s  refused/s", {}};
  for (const auto& each : entries)
    result.rows.push_back(fitted(each.name, name_columns) +
                          format(" %-9.8s%8s%9s%11s", each.id.c_str(), count_text(each.reads).c_str(),
                                 count_text(each.reserved).c_str(), count_text(each.refused).c_str()));
  return result;
}

std::vector<std::string> head(const view& figures) {
  std::string state = figures.ready ? "ready" : "NOT READY";
  for (const auto& reason : figures.not_ready) state += "; " + reason;
  return {format("roost %s  %s, %s", figures.server.c_str(), figures.is_writer ? "writer" : "no writer",
                 state.c_str()),
          format("units %s  requests %s/s  in flight %s  connections %s  503 %s/s  500 %s/s",
                 count_text(figures.units).c_str(), count_text(figures.requests).c_str(),
                 count_text(figures.in_flight).c_str(), count_text(figures.connections).c_str(),
                 count_text(figures.busy_responses).c_str(), count_text(figures.failures).c_str()),
          format("queue %s waiting, moved %s ago  decided %s/s  refused %s/s  mails %s",
                 count_text(figures.queue_waiting).c_str(), time_text(figures.queue_age).c_str(),
                 count_text(figures.decided).c_str(), count_text(figures.refused).c_str(),
                 count_text(figures.mails_waiting).c_str()),
          format("asks %s/s  in flight %s  timed out %s  refused %s", count_text(figures.asks).c_str(),
                 count_text(figures.asks_in_flight).c_str(), count_text(figures.asks_timed_out).c_str(),
                 count_text(figures.asks_refused).c_str())};
}

/// Returns the number of rows that each table may have so that all fit: the longest tables are cut first.
std::size_t max_rows_per_table(const std::vector<table>& tables, std::size_t lines) {
  std::size_t each = max_rows;
  for (; each > 1; --each) {
    std::size_t needed = 0;
    for (const auto& table : tables)
      if (!table.rows.empty()) needed += 1 + std::min(table.rows.size(), each);
    if (needed <= lines) break;
  }
  return each;
}

constexpr const char* enter_screen = "\033[?1049h\033[?25l";
constexpr const char* leave_screen = "\033[?25h\033[?1049l";
constexpr char ctrl_c = 3;

volatile std::sig_atomic_t is_interrupted = 0;
termios saved_mode{};

void note_signal(int) { is_interrupted = 1; }

void write_out(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

/// Installs the handler without SA_RESTART, so that a signal interrupts poll().
void catch_signals() {
  struct sigaction action {};
  action.sa_handler = note_signal;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

winsize screen_size() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) size = {};
  return size;
}

} // namespace

std::vector<std::string> draw(const view& figures, std::size_t columns, std::size_t rows) {
  auto lines = head(figures);
  if (figures.advice.empty()) lines.emplace_back("nothing to tune");
  for (const auto& each : figures.advice) lines.push_back("tune " + each);
  const std::vector<table> tables{stages(figures),
                                  platforms(figures),
                                  threads(figures),
                                  lanes(figures),
                                  actors(figures),
                                  busiest("UNIT                      id      ", figures.hot_units),
                                  busiest("ACCOUNT                   id      ", figures.hot_accounts)};
  const auto left = rows > lines.size() ? rows - lines.size() : 0;
  const auto each = rows == 0 ? std::numeric_limits<std::size_t>::max() : max_rows_per_table(tables, left);
  for (const auto& table : tables) {
    if (table.rows.empty()) continue;
    lines.push_back(table.title);
    lines.insert(lines.end(), table.rows.begin(),
                 table.rows.begin() + static_cast<std::ptrdiff_t>(std::min(each, table.rows.size())));
  }
  if (rows > 0 && lines.size() > rows) lines.resize(rows);
  for (auto& line : lines) {
    line = fitted(line, columns);
    line.erase(line.find_last_not_of(' ') + 1);
  }
  return lines;
}

terminal::terminal()
    : is_screen_(isatty(STDOUT_FILENO) == 1), reads_keys_(is_screen_ && isatty(STDIN_FILENO) == 1) {
  catch_signals();
  if (reads_keys_) {
    tcgetattr(STDIN_FILENO, &saved_mode);
    auto mode = saved_mode;
    mode.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG);
    mode.c_cc[VMIN] = 0;
    mode.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSANOW, &mode);
  }
  if (is_screen_) write_out(enter_screen);
}

terminal::~terminal() {
  if (is_screen_) write_out(leave_screen);
  if (reads_keys_) tcsetattr(STDIN_FILENO, TCSANOW, &saved_mode);
}

std::size_t terminal::columns() const {
  return is_screen_ ? std::max<std::size_t>(screen_size().ws_col, min_columns) : min_columns;
}

std::size_t terminal::rows() const { return is_screen_ ? screen_size().ws_row : 0; }

void terminal::show(const std::vector<std::string>& lines) const {
  std::string text = is_screen_ ? "\033[H" : "";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += lines[i];
    if (is_screen_) text += "\033[K";
    if (!is_screen_ || i + 1 < lines.size()) text += is_screen_ ? "\r\n" : "\n";
  }
  text += is_screen_ ? "\033[J" : "\n";
  write_out(text);
}

bool terminal::wait(std::chrono::milliseconds time) const {
  const auto until = std::chrono::steady_clock::now() + time;
  while (!is_interrupted) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd keys{reads_keys_ ? STDIN_FILENO : -1, POLLIN, 0};
    if (poll(&keys, 1, static_cast<int>(left.count())) <= 0) continue;
    char key = 0;
    const auto bytes_read = read(STDIN_FILENO, &key, 1);
    if (bytes_read == 1 && (key == 'q' || key == 'Q' || key == ctrl_c)) return true;
    if (bytes_read <= 0) return true; // the terminal was closed
  }
  return true;
}

} // namespace roost::top
