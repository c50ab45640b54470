#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

/// One line an event on stderr, written by a background thread so that no I/O thread waits for a disk or a
/// terminal. When events come faster than they can be written, the oldest waiting ones are dropped.
///
///     2026-11-20T09:30:00.123Z info request_refused route="GET /p/listings" status=401 request_id=5f0c…
///
/// or, as JSON, one object a line with the same keys and time, level and event:
///
///     {"time":"2026-11-20T09:30:00.123Z","level":"info","event":"request_refused","route":"GET
///     /p/listings",…
///
/// An event is a snake_case name that never varies; what varies is in its fields. Never log a token, a
/// password, a key or anything about a tenant.
namespace roost::log {

enum class level { debug, info, warn, error, off };
enum class format { text, json };

/// A key and its value. Text that is empty or holds a space, a quote, an equals sign, a backslash or a byte
/// that is not printable ASCII is quoted and escaped, so that no value can look like another field or another
/// line. UTF-8 text passes through inside the quotes; bytes that are not UTF-8 become \xNN. The text must
/// live until the logging call returns.
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
  /// Appends `,"key":value`: a JSON string, number or truth value. Numbers that JSON has not are null, and
  /// bytes that are no UTF-8 U+FFFD.
  void append_json_to(std::string& line) const;

private:
  std::string_view key_;
  std::variant<std::string_view, bool, double, std::int64_t, std::uint64_t> value_;
};

void debug(std::string_view event, std::initializer_list<field> fields = {});
void info(std::string_view event, std::initializer_list<field> fields = {});
void warn(std::string_view event, std::initializer_list<field> fields = {});
void error(std::string_view event, std::initializer_list<field> fields = {});

/// Events below this level are not written; info at the start.
void set_level(level lowest);

/// How lines look from now on; text at the start.
void set_format(format wanted);

/// Whether an event of this level would be written: worth asking before preparing costly fields.
bool enabled(level wanted);

/// Writes what waits. Blocks, so not for an I/O thread.
void flush();

/// Writes what waits and ends the background thread; events after it are dropped.
void shutdown();

} // namespace roost::log
