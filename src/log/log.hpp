#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

/// A structured log: one line per event on stderr. A background thread writes the lines, so that no I/O
/// thread waits for a disk or a terminal. If events arrive faster than they can be written, the oldest queued
/// ones are dropped. Any thread may log.
///
///     2026-11-20T09:30:00.123Z info request_refused route="GET /p/listings" status=401 request_id=5f0c…
///
/// or, in JSON format, one object per line with the same keys, time, level and event:
///
///     {"time":"2026-11-20T09:30:00.123Z","level":"info","event":"request_refused","route":"GET
///     /p/listings",…
///
/// An event is a constant snake_case name; variable data goes into its fields. Never log tokens, passwords,
/// keys or tenants' data.
namespace roost::log {

enum class level { debug, info, warn, error, off };
enum class format { text, json };

/// A key and its value. Text that is empty or contains a space, a quote, an equals sign, a backslash or a
/// byte outside printable ASCII is quoted and escaped, so that no value can look like another field or line.
/// UTF-8 is kept inside the quotes; bytes that are not UTF-8 become \xNN. The text must live until the
/// logging call returns.
class field {
public:
  field(std::string_view key, std::string_view value) : key_(key), value_(value) {}
  field(std::string_view key, const std::string& value) : key_(key), value_(std::string_view(value)) {}
  field(std::string_view key, const char* value) : key_(key), value_(std::string_view(value)) {}
  field(std::string_view key, bool value) : key_(key), value_(value) {}
  field(std::string_view key, double value) : key_(key), value_(value) {}
  template <std::signed_integral Integer>
  field(std::string_view key, Integer value) : key_(key), value_(static_cast<std::int64_t>(value)) {}
  template <std::unsigned_integral Integer>
  field(std::string_view key, Integer value) : key_(key), value_(static_cast<std::uint64_t>(value)) {}

  /// Appends ` key=value`.
  void append_to(std::string& line) const;
  /// Appends `,"key":value`. Infinite numbers and NaN become null, bytes that are not UTF-8 U+FFFD.
  void append_json_to(std::string& line) const;

private:
  std::string_view key_;
  std::variant<std::string_view, bool, double, std::int64_t, std::uint64_t> value_;
};

void debug(std::string_view event, std::initializer_list<field> fields = {});
void info(std::string_view event, std::initializer_list<field> fields = {});
void warn(std::string_view event, std::initializer_list<field> fields = {});
void error(std::string_view event, std::initializer_list<field> fields = {});

/// Drops events below this level; initially info.
void set_level(level lowest);

/// Sets the format of subsequent events; initially text.
void set_format(format format);

/// Also appends every event from now on to `file`, whatever the level and the format, as one JSON object per
/// line without the time. For tests, which wait for events there. The line is complete when the logging call
/// returns; a line that cannot be written is lost, and so is an event whose caller finds its level not
/// enabled(). Throws std::system_error when the file cannot be opened.
void copy_events_to(const std::string& file);

/// Whether events of this level are written. Check it before preparing expensive fields.
bool enabled(level level);

/// Writes all queued events. Blocks, so not for I/O threads.
void flush();

/// Writes all queued events and ends the background thread; later events are dropped.
void shutdown();

} // namespace roost::log
