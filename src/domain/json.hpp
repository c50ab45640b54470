#pragma once

#include "domain/date.hpp"
#include "domain/money.hpp"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <concepts>
#include <optional>
#include <string>
#include <string_view>

namespace roost::domain {

/// Writes JSON with the domain's own values: money without trailing zeros, dates and timestamps as strings,
/// nothing as null.
class json_writer {
public:
  void begin_object() { writer_.StartObject(); }
  void end_object() { writer_.EndObject(); }
  void begin_array() { writer_.StartArray(); }
  void end_array() { writer_.EndArray(); }
  void key(std::string_view name) { writer_.Key(name.data(), static_cast<rapidjson::SizeType>(name.size())); }

  void value(std::string_view text) {
    writer_.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
  }
  void value(const char* text) { value(std::string_view{text}); }
  void value(const std::string& text) { value(std::string_view{text}); }
  void value(std::same_as<bool> auto flag) { writer_.Bool(flag); }
  template <std::integral T>
  requires(!std::same_as<T, bool>) void value(T number) { writer_.Int64(static_cast<std::int64_t>(number)); }
  void value(std::same_as<double> auto number) { writer_.Double(number); }
  void value(money amount) { number(to_short_text(amount).view()); }
  void value(date day) { value(to_short_text(day).view()); }
  void value(timestamp moment) { value(to_short_text(moment).view()); }
  void null() { writer_.Null(); }

  /// A number that is already written as JSON wants it.
  void number(std::string_view text) { writer_.RawValue(text.data(), text.size(), rapidjson::kNumberType); }

  /// Finished JSON, taken as it is.
  void raw(std::string_view json) { writer_.RawValue(json.data(), json.size(), rapidjson::kObjectType); }

  template <typename T>
  void value(const std::optional<T>& maybe) {
    maybe ? value(*maybe) : null();
  }

  template <typename T>
  void field(std::string_view name, const T& content) {
    key(name);
    value(content);
  }

  std::string_view text() const { return {buffer_.GetString(), buffer_.GetSize()}; }

  /// Starts anew and keeps the memory.
  void clear() {
    buffer_.Clear();
    writer_.Reset(buffer_);
  }

private:
  rapidjson::StringBuffer buffer_;
  rapidjson::Writer<rapidjson::StringBuffer> writer_{buffer_};
};

} // namespace roost::domain
