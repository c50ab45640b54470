#pragma once

#include "domain/date.hpp"
#include "domain/money.hpp"
#include "domain/text.hpp"
#include "domain/uuid.hpp"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace roost::json {

/// Text that is known to need no escaping in JSON.
struct plain_text {
  std::string_view text;
};

/// A member's value that is already JSON.
struct json_text {
  std::string_view json;
};

namespace detail {

template <typename V>
inline constexpr bool is_optional = false;
template <typename V>
inline constexpr bool is_optional<std::optional<V>> = true;

} // namespace detail

/// Writes JSON with the domain's value types: money without trailing zeros, dates and timestamps as strings,
/// an empty optional as null.
///
/// A feed's text is mostly names and dates, which need no escaping. They are copied unchanged, which halves
/// the time of a listing.
class writer {
public:
  void begin_object() { writer_.StartObject(); }
  void end_object() { writer_.EndObject(); }
  void begin_array() { writer_.StartArray(); }
  void end_array() { writer_.EndArray(); }

  /// Writes a name given as a literal, which must need no escaping.
  template <std::size_t Size>
  void key(const char (&name)[Size]) {
    writer_.quote({name, Size - 1});
  }

  /// Writes a name that is data, escaped.
  void data_key(std::string_view name) {
    writer_.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
  }

  void value(std::string_view text) {
    writer_.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
  }
  void value(const char* text) { value(std::string_view{text}); }
  void value(plain_text text) { writer_.quote(text.text); }
  void value(const std::string& text) { value(std::string_view{text}); }
  void value(std::same_as<bool> auto flag) { writer_.Bool(flag); }
  template <std::integral T>
  requires(!std::same_as<T, bool>) void value(T number) { writer_.Int64(static_cast<std::int64_t>(number)); }
  /// Writes null for infinity and NaN, which JSON cannot represent.
  void value(std::same_as<double> auto number) {
    std::isfinite(number) ? writer_.Double(number) : writer_.Null();
  }
  void value(domain::money amount) { number(domain::to_short_text(amount).view()); }
  void value(domain::date day) { writer_.quote(domain::to_short_text(day).view()); }

  void value(domain::timestamp moment) { writer_.quote(text_of(moment).view()); }
  void value(domain::named_enum auto choice) { value(plain_text{domain::to_string(choice)}); }
  void value(const domain::decimal& amount) { number(domain::to_string(amount)); }
  void value(json_text text) { raw(text.json); }
  void value(const std::map<std::string, std::string>& texts) {
    begin_object();
    for (const auto& [name, text] : texts) {
      data_key(name);
      value(text);
    }
    end_object();
  }
  void null() { writer_.Null(); }

  /// Writes a number given as its JSON text.
  void number(std::string_view text) { writer_.copy(text, rapidjson::kNumberType); }

  /// Writes text that is already JSON.
  void raw(std::string_view json) { writer_.copy(json, rapidjson::kObjectType); }

  template <typename T>
  void value(const std::optional<T>& maybe) {
    maybe ? value(*maybe) : null();
  }

  template <std::size_t Size, typename T>
  void field(const char (&name)[Size], const T& content) {
    if constexpr (detail::is_optional<T>) {
      content ? field(name, *content) : null_field(name);
    } else if constexpr (domain::named_enum<T>) {
      field(name, plain_text{domain::to_string(content)});
    } else if constexpr (std::same_as<T, domain::uuid>) {
      writer_.quote_member(name, domain::to_string(content));
    } else if constexpr (std::same_as<T, std::nullptr_t>) {
      null_field(name);
    } else if constexpr (std::same_as<T, domain::date>) {
      writer_.quote_member(name, domain::to_short_text(content));
    } else if constexpr (std::same_as<T, domain::timestamp>) {
      writer_.quote_member(name, text_of(content));
    } else if constexpr (std::same_as<T, plain_text>) {
      writer_.quote_member(name, content.text);
    } else if constexpr (std::same_as<T, domain::money>) {
      const auto text = domain::to_short_text(content);
      writer_.copy_member(name, text.view());
    } else if constexpr (std::same_as<T, bool>) {
      writer_.copy_member(name, content ? "true" : "false");
    } else if constexpr (std::integral<T>) {
      std::array<char, 20> text; // of the longest 64-bit number
      const auto end = std::to_chars(text.begin(), text.end(), content).ptr;
      writer_.copy_member(name, {text.begin(), end});
    } else {
      key(name);
      value(content);
    }
  }
  template <std::size_t Size>
  void null_field(const char (&name)[Size]) {
    writer_.copy_member(name, "null");
  }

  std::string_view text() const { return {buffer_.GetString(), buffer_.GetSize()}; }

  /// Starts a new text and keeps the memory.
  void clear() {
    buffer_.Clear();
    writer_.Reset(buffer_);
  }

private:
  using text_writer = rapidjson::Writer<rapidjson::StringBuffer>;

  /// RapidJSON's own RawValue() copies one character at a time.
  class copying_writer : public text_writer {
  public:
    using text_writer::text_writer;

    void copy(std::string_view finished, rapidjson::Type type) {
      Prefix(type);
      std::memcpy(os_->Push(finished.size()), finished.data(), finished.size());
    }

    /// A string that needs no escaping.
    void quote(std::string_view text) {
      Prefix(rapidjson::kStringType);
      char* const at = os_->Push(text.size() + 2);
      at[0] = at[text.size() + 1] = '"';
      std::memcpy(at + 1, text.data(), text.size());
    }

    /// Writes a literal name and its value in one step, which costs little more than writing either.
    template <std::size_t Size>
    void copy_member(const char (&name)[Size], std::string_view finished) {
      std::memcpy(member(name, finished.size()), finished.data(), finished.size());
    }
    template <std::size_t Size>
    void quote_member(const char (&name)[Size], std::string_view text) {
      char* const at = member(name, text.size() + 2);
      at[0] = at[text.size() + 1] = '"';
      std::memcpy(at + 1, text.data(), text.size());
    }
    /// Writes text that always fills its buffer, so that its size is known at compile time.
    template <std::size_t Size, std::size_t Length>
    void quote_member(const char (&name)[Size], const domain::short_text<Length>& text) {
      char* const at = member(name, Length + 2);
      at[0] = at[Length + 1] = '"';
      std::memcpy(at + 1, text.characters.data(), Length);
    }

  private:
    /// Writes a name, and returns the place for `value_size` bytes of its value.
    template <std::size_t Size>
    char* member(const char (&name)[Size], std::size_t value_size) {
      Prefix(rapidjson::kStringType);
      ++level_stack_.template Top<Level>()->valueCount; // the value's
      char* const at = os_->Push(Size + 2 + value_size);
      at[0] = at[Size] = '"';
      at[Size + 1] = ':';
      std::memcpy(at + 1, name, Size - 1);
      return at + Size + 2;
    }
  };

  /// Returns the text of a timestamp. It keeps the last one, because most rows of a unit share theirs.
  const domain::short_text<24>& text_of(domain::timestamp moment) {
    if (moment != last_moment_ || last_moment_text_.size == 0) {
      last_moment_text_ = domain::to_short_text(moment);
      last_moment_ = moment;
    }
    return last_moment_text_;
  }

  rapidjson::StringBuffer buffer_;
  copying_writer writer_{buffer_};
  domain::timestamp last_moment_{};
  domain::short_text<24> last_moment_text_{.characters = {}, .size = 0};
};

} // namespace roost::json
