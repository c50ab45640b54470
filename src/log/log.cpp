#include "log/log.hpp"

#include "domain/text.hpp"

#include <spdlog/async_logger.h>
#include <spdlog/details/thread_pool.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <fcntl.h>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace roost::log {
namespace {

constexpr std::size_t queue_events = 8192;
constexpr std::chrono::seconds flush_timeout{2};
constexpr std::size_t max_batch = 64 * 1024; ///< bytes
constexpr std::chrono::milliseconds batch_interval{2};

/// Writes to stderr in batches, and signals when everything queued before a flush has been written. A write
/// and a wake-up per line would cost more than the line itself, mostly on the thread that logs.
class stderr_sink final : public spdlog::sinks::base_sink<std::mutex> {
public:
  /// `queue` is the source of its events.
  explicit stderr_sink(spdlog::details::thread_pool& queue) : queue_(queue) {}
  ~stderr_sink() override { write_lines(); }
  stderr_sink(const stderr_sink&) = delete;
  stderr_sink& operator=(const stderr_sink&) = delete;

  std::uint64_t flushes() {
    const std::lock_guard guard(flush_mutex_);
    return flushes_;
  }

  void wait_for_flush_after(std::uint64_t seen) {
    std::unique_lock lock(flush_mutex_);
    flushed_.wait_for(lock, flush_timeout, [&] { return flushes_ > seen; });
  }

protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    formatter_->format(message, lines_);
    if (lines_.size() < max_batch && queue_.queue_size() > 0) return;
    write_lines();
    std::this_thread::sleep_for(batch_interval);
  }

  void flush_() override {
    write_lines();
    std::fflush(stderr);
    const std::lock_guard guard(flush_mutex_);
    ++flushes_;
    flushed_.notify_all();
  }

private:
  void write_lines() {
    std::fwrite(lines_.data(), 1, lines_.size(), stderr);
    lines_.clear();
  }

  spdlog::details::thread_pool& queue_;
  spdlog::memory_buf_t lines_; ///< complete, not written yet
  std::mutex flush_mutex_;
  std::condition_variable flushed_;
  std::uint64_t flushes_ = 0;
};

/// Prepends the time to an event as write() prepared it: a line of text, or an object without opening brace.
class line_formatter final : public spdlog::formatter {
public:
  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& line) override {
    const bool is_json = message.payload.size() > 0 && message.payload[0] == '"';
    const auto append = [&](std::string_view text) { line.append(text.data(), text.data() + text.size()); };
    if (is_json) append(R"({"time":")");
    time_.format(message, line);
    append(is_json ? "\"," : " ");
    line.append(message.payload.begin(), message.payload.end());
    append("\n");
  }

  std::unique_ptr<spdlog::formatter> clone() const override { return std::make_unique<line_formatter>(); }

private:
  spdlog::pattern_formatter time_{"%Y-%m-%dT%H:%M:%S.%eZ", spdlog::pattern_time_type::utc, ""};
};

struct writer {
  writer()
      : pool(std::make_shared<spdlog::details::thread_pool>(queue_events, 1)),
        sink(std::make_shared<stderr_sink>(*pool)),
        logger(std::make_shared<spdlog::async_logger>("roost", sink, pool,
                                                      spdlog::async_overflow_policy::overrun_oldest)) {
    sink->set_formatter(std::make_unique<line_formatter>());
    logger->set_level(spdlog::level::trace);
  }

  /// Ends the thread first, as it uses the other members.
  ~writer() { pool.reset(); }
  writer(const writer&) = delete;
  writer& operator=(const writer&) = delete;

  std::shared_ptr<spdlog::details::thread_pool> pool;
  std::shared_ptr<stderr_sink> sink;
  std::shared_ptr<spdlog::async_logger> logger;
};

writer& the_writer() {
  static writer instance;
  return instance;
}

std::atomic<level> lowest_level{level::info};
std::atomic<format> line_format{format::text};
std::atomic<bool> ended{false};
std::atomic<int> events_descriptor{-1}; ///< of copy_events_to(); -1: none

bool needs_quotes(std::string_view text) {
  return text.empty() || std::ranges::any_of(text, [](unsigned char c) {
           return c <= ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '=';
         });
}

constexpr std::string_view hex_digits = "0123456789abcdef";

/// Appends a text in quotes. `escape` appends characters that are not printable, quotes and backslashes.
template <typename Escape>
void append_quoted(std::string& line, std::string_view text, Escape escape) {
  line += '"';
  while (!text.empty()) {
    const char c = text.front();
    std::size_t length = 1;
    if (c >= ' ' && c < 0x7f && c != '"' && c != '\\') {
      line += c;
    } else if (const auto printable = domain::printable_sequence(text); printable != 0) {
      length = printable;
      line += text.substr(0, length);
    } else {
      escape(line, c);
    }
    text.remove_prefix(length);
  }
  line += '"';
}

void append_hex(std::string& line, const char* prefix, char c) {
  const auto byte = static_cast<unsigned char>(c);
  line.append(prefix).append(1, hex_digits[byte >> 4]).append(1, hex_digits[byte & 0xf]);
}

void append_value(std::string& line, std::string_view text) {
  if (!needs_quotes(text)) {
    line += text;
    return;
  }
  append_quoted(line, text, [](std::string& to, char c) {
    constexpr std::string_view named = "\n\r\t\"\\", letters = "nrt\"\\";
    const auto at = named.find(c);
    if (at != std::string_view::npos)
      to.append("\\").append(1, letters[at]);
    else
      append_hex(to, "\\x", c);
  });
}

/// Appends a JSON string (RFC 8259, 7) without any character that a viewer could show as a line break.
void append_json_value(std::string& line, std::string_view text) {
  append_quoted(line, text, [](std::string& to, char c) {
    if (c == '"' || c == '\\')
      to.append("\\").append(1, c);
    else if (static_cast<unsigned char>(c) < 0x80)
      append_hex(to, "\\u00", c);
    else
      to += "\xef\xbf\xbd"; // U+FFFD
  });
}

void append_value(std::string& line, bool value) { line += value ? "true" : "false"; }
template <class Number>
void append_value(std::string& line, Number value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  line.append(digits, end);
}

/// Appends null for a number that JSON cannot represent.
void append_json_value(std::string& line, double value) {
  if (std::isfinite(value))
    append_value(line, value);
  else
    line += "null";
}
template <class Value>
void append_json_value(std::string& line, Value value) {
  append_value(line, value);
}

/// Appends the members of an event and the closing brace of its object.
void append_json(std::string& line, std::string_view level, std::string_view event,
                 std::initializer_list<field> fields) {
  line.append(R"("level":")").append(level).append(R"(","event":")").append(event).append("\"");
  for (const auto& field : fields) field.append_json_to(line);
  line += '}';
}

/// Ignores errors: a full disk must not affect the program that a test observes.
void copy_event(int descriptor, std::string_view level, std::string_view event,
                std::initializer_list<field> fields) {
  std::string line{'{'};
  append_json(line, level, event, fields);
  line += '\n';
  [[maybe_unused]] const auto written = ::write(descriptor, line.data(), line.size());
}

void write(level level, std::string_view name, std::string_view event, std::initializer_list<field> fields) {
  if (ended.load(std::memory_order_relaxed)) return;
  const int copies = events_descriptor.load(std::memory_order_relaxed);
  if (copies >= 0) copy_event(copies, name, event, fields);
  if (!enabled(level)) return;
  std::string line;
  line.reserve(192);
  if (line_format.load(std::memory_order_relaxed) == format::text) {
    line.append(name).append(" ").append(event);
    for (const auto& field : fields) field.append_to(line);
  } else {
    append_json(line, name, event, fields);
  }
  the_writer().logger->log(spdlog::level::info, spdlog::string_view_t(line.data(), line.size()));
}

} // namespace

void field::append_to(std::string& line) const {
  line.append(" ").append(key_).append("=");
  std::visit([&line](auto value) { append_value(line, value); }, value_);
}

void field::append_json_to(std::string& line) const {
  line.append(",\"").append(key_).append("\":");
  std::visit([&line](auto value) { append_json_value(line, value); }, value_);
}

void debug(std::string_view event, std::initializer_list<field> fields) {
  write(level::debug, "debug", event, fields);
}
void info(std::string_view event, std::initializer_list<field> fields) {
  write(level::info, "info", event, fields);
}
void warn(std::string_view event, std::initializer_list<field> fields) {
  write(level::warn, "warn", event, fields);
}
void error(std::string_view event, std::initializer_list<field> fields) {
  write(level::error, "error", event, fields);
}

void set_level(level lowest) { lowest_level.store(lowest, std::memory_order_relaxed); }

void set_format(format format) { line_format.store(format, std::memory_order_relaxed); }

void copy_events_to(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (descriptor < 0) throw std::system_error(errno, std::generic_category(), file);
  events_descriptor.store(descriptor); // a previous one stays open: another thread may be writing to it
}

bool enabled(level level) { return level >= lowest_level.load(std::memory_order_relaxed); }

void flush() {
  if (ended) return;
  writer& writer = the_writer();
  const auto seen = writer.sink->flushes();
  writer.logger->flush();
  writer.sink->wait_for_flush_after(seen);
}

void shutdown() {
  flush();
  if (ended.exchange(true)) return;
  the_writer().pool.reset(); // joins the thread, which first empties the queue
  the_writer().sink->flush();
}

} // namespace roost::log
