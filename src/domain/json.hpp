#pragma once

#include "domain/date.hpp"
#include "domain/money.hpp"

#include <algorithm>
#include <concepts>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace roost::domain {

/// Text of the program's own that needs no escaping in JSON.
struct plain_text {
  std::string_view text;
};

/// Writes compact JSON with the domain's own values: money without trailing zeros, dates and timestamps as
/// strings, nothing as null. What is written has to be well-formed: names and values in turn, brackets
/// closed.
///
/// A feed's text is mostly names, dates and amounts that are each copied to the end of one buffer, so that a
/// listing costs little more than its bytes.
class json_writer {
public:
  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }

  /// A name in the source, which needs no escaping.
  template <std::size_t Size>
  void key(const char (&name)[Size]) {
    char* at = item(Size + 2);
    *at++ = '"';
    std::memcpy(at, name, Size - 1);
    at += Size - 1;
    *at++ = '"';
    *at++ = ':';
    end_ = at;
    is_next_ = false;
  }

  /// A name that is data.
  void data_key(std::string_view name) {
    value(name);
    *room(1) = ':';
    ++end_;
    is_next_ = false;
  }

  void value(std::string_view text);
  void value(const std::string& text) { value(std::string_view{text}); }

  /// A text in the source, which needs no escaping.
  void value(const char* literal) { value(plain_text{literal}); }
  void value(plain_text text) { quote(text.text.data(), text.text.size()); }

  void value(std::same_as<bool> auto flag) { copy(flag ? "true" : "false"); }
  template <std::integral T>
  requires(!std::same_as<T, bool>) void value(T number) { whole_number(static_cast<std::int64_t>(number)); }
  void value(std::same_as<double> auto number) { decimal_number(number); }
  void value(money amount) {
    const auto text = to_short_text(amount);
    copy(text.view());
  }
  void value(date day) {
    const auto text = to_short_text(day);
    quote(text.characters.data(), text.characters.size());
  }

  /// Most rows of a unit were written at the same moment.
  void value(timestamp moment) {
    if (moment != last_moment_ || last_moment_text_.size == 0) {
      last_moment_text_ = to_short_text(moment);
      last_moment_ = moment;
    }
    quote(last_moment_text_.characters.data(), last_moment_text_.characters.size());
  }
  void null() { copy("null"); }

  /// A number that is already written as JSON wants it.
  void number(std::string_view text) { copy(text); }

  /// Finished JSON, taken as it is.
  void raw(std::string_view json) { copy(json); }

  template <typename T>
  void value(const std::optional<T>& maybe) {
    maybe ? value(*maybe) : null();
  }

  template <std::size_t Size, typename T>
  void field(const char (&name)[Size], const T& content) {
    key(name);
    value(content);
  }

  std::string_view text() const { return {buffer_.get(), static_cast<std::size_t>(end_ - buffer_.get())}; }

  /// Starts anew and keeps the memory.
  void clear() {
    end_ = buffer_.get();
    is_next_ = false;
  }

private:
  /// Where so many more bytes may be written.
  char* room(std::size_t bytes) {
    if (static_cast<std::size_t>(limit_ - end_) < bytes) [[unlikely]]
      grow(bytes);
    return end_;
  }

  /// The same for what a comma parts from what stands before it in its array or object.
  char* item(std::size_t bytes) {
    char* at = room(bytes + 1);
    *at = ',';
    at += is_next_ ? 1 : 0;
    is_next_ = true;
    return at;
  }

  void open(char bracket) {
    char* at = item(1);
    *at = bracket;
    end_ = at + 1;
    is_next_ = false;
  }

  void close(char bracket) {
    *room(1) = bracket;
    ++end_;
    is_next_ = true;
  }

  void copy(std::string_view finished) {
    char* at = item(finished.size());
    std::memcpy(at, finished.data(), finished.size());
    end_ = at + finished.size();
  }

  void quote(const char* text, std::size_t size) {
    char* at = item(size + 2);
    *at++ = '"';
    std::memcpy(at, text, size);
    at += size;
    *at++ = '"';
    end_ = at;
  }

  void grow(std::size_t bytes);
  void whole_number(std::int64_t number);
  void decimal_number(double number);

  std::unique_ptr<char[]> buffer_;
  char* end_ = nullptr; // of what is written
  char* limit_ = nullptr;
  bool is_next_ = false; // a comma comes before the next name or value
  timestamp last_moment_{};
  short_text<24> last_moment_text_{.characters = {}, .size = 0};
};

} // namespace roost::domain
