#pragma once

#include "domain/date.hpp"
#include "domain/money.hpp"
#include "domain/text.hpp"
#include "http/protocol/error.hpp"
#include "json/long_numbers.hpp"

#include <simdjson.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roost::http {

enum class presence { required, optional };

/// The rule of amounts that their column cannot hold.
inline constexpr std::string_view below_amount_limit = "must be below 100000000";
static_assert(domain::amount_limit.cents == 10'000'000'000);

/// How a route treats unknown keys.
enum class unknown_keys { refused, discarded };

/// The member names that a route accepts.
using known_keys = std::span<const std::string_view>;

/// The constraints on a number.
struct number_bounds {
  std::optional<int> min = {}, max = {};
  bool whole = false; ///< must be an integer
};

/// The errors in a request, in the order that clients know; one 400 lists them all.
class message_list {
public:
  /// Adds a message; keeps the first 100 and counts the others.
  void refuse(std::string message);

  bool empty() const { return messages_.empty(); }
  std::string text() const; ///< all messages

  /// Throws bad_request with all messages, if there are any.
  void throw_if_any() const;

private:
  std::vector<std::string> messages_;
  std::size_t further_ = 0; ///< messages that were not kept
};

/// Values that the store's columns would reject. One message stands for all fields: the first that applies,
/// in the order format, bound, missing value.
class column_problems {
public:
  void invalid_format() { invalid_format_ = true; }
  void too_long() { first_bound_ = first_bound_ ? first_bound_ : "A value is too long for its field."; }
  void out_of_range() { first_bound_ = first_bound_ ? first_bound_ : "A numeric value is out of range."; }
  void missing() { missing_ = true; }

  void throw_if_any() const {
    if (invalid_format_) throw invalid_value();
    if (first_bound_) throw bad_request(first_bound_);
    if (missing_) throw bad_request("A required value is missing.");
  }

private:
  bool invalid_format_ = false, missing_ = false;
  const char* first_bound_ = nullptr;
};

/// How values that the store's columns would reject are reported.
enum class column_errors {
  shared, ///< one message for all members, as partners know it
  named,  ///< a message for each member, with its path, together with all others
};

/// Describes the error in a text that simdjson rejected, with its position, which simdjson does not report:
/// `Invalid value, at line 3, column 7`.
std::string json_fault(std::string_view text, simdjson::error_code reason);

/// Returns the 400 for a body that is not JSON; `fault` is its description from json_fault().
error malformed_json(const std::string& fault);

/// A request's JSON object with the errors found in it: messages, in the order that partners know, and
/// problems that only the store's columns have. object_reader reads its fields.
class json_body {
public:
  /// Parses in place. Throws bad_request unless the text is a JSON object.
  explicit json_body(std::string& text, column_errors reported = column_errors::shared);

  const simdjson::dom::object& root() const { return root_; }
  /// Returns a number of more digits than simdjson holds, as it was sent; nullopt for any other element.
  std::optional<std::string_view> long_number(const simdjson::dom::element& value) const;

  void refuse(std::string message) { messages_.refuse(std::move(message)); }
  column_problems& columns() { return columns_; }
  column_errors reported() const { return reported_; }

  /// Throws bad_request with all messages, if there are any.
  void throw_if_refused() const { messages_.throw_if_any(); }
  /// Throws bad_request with all messages, else with the first column problem, if there are any.
  void throw_if_any() const;

private:
  simdjson::dom::object root_;
  json::long_numbers numbers_;
  message_list messages_;
  column_problems columns_;
  column_errors reported_;
};

/// Reads the typed fields of an object: a body, or an object in one, whose messages start with the path to it
/// (`rentsPerMonth.0.month must …`). The last value of a repeated key counts, as in JavaScript's
/// JSON.parse(); null counts as absent. Type errors are added to the body's messages, values that only a
/// column would reject to its column problems, or to its messages (column_errors). Each function returns
/// nullopt for a field that is absent or was refused; an absent required field is refused like one of another
/// type.
class object_reader {
public:
  /// Reads the whole body and refuses each unknown key.
  object_reader(json_body& body, known_keys known);

  std::optional<std::string> text(std::string_view key, presence expected);
  /// For callers with their own error text; nullopt if not a string.
  std::optional<std::string> text_if(std::string_view key) const;
  /// Reads a text to store: a single line of at most `max_length` characters.
  std::optional<std::string> text(std::string_view key, presence expected, std::size_t max_length);
  /// Reads a text to store that only its column checks: another type is an invalid format. An empty text
  /// counts as absent.
  std::optional<std::string> column_text(std::string_view key, std::size_t max_length);
  /// Reads a string, or a number of any size as the shortest decimal without an exponent.
  std::optional<std::string> identifier(std::string_view key, presence expected);
  std::optional<std::string> identifier(std::string_view key, presence expected, std::size_t max_length);
  std::optional<bool> flag(std::string_view key, presence expected);
  /// Reads a number as the shortest decimal without an exponent.
  std::optional<std::string> number_text(std::string_view key, presence expected);
  /// Reads a number, which may be infinite if no double can hold it.
  std::optional<double> number(std::string_view key, presence expected, const number_bounds& bounds = {});
  /// Reads a number of 0 or more, below the amount limit.
  std::optional<domain::money> amount(std::string_view key, presence expected);
  /// Reads an integer from `min` to `max`.
  std::optional<int> count(std::string_view key, presence expected, int min, int max);
  std::optional<domain::date> day(std::string_view key, presence expected);

  /// Reads an object with `read`; does nothing if it is absent. Returns false if the value is not an object.
  bool object(std::string_view key, known_keys known, unknown_keys others,
              const std::function<void(object_reader&)>& read);

  /// Reads each object of an array with `read`; flattens nested arrays. Returns the number of objects.
  std::size_t objects(std::string_view key, presence expected, known_keys known, unknown_keys others,
                      const std::function<void(object_reader&)>& read);

  bool has(std::string_view key) const { return find(key).has_value(); }
  bool is_empty() const { return is_empty_; } ///< has no keys at all, known or not

  void refuse(std::string message) { body_.refuse(path_ + std::move(message)); }

  // Each of these refuses a value that the column of a member would reject.
  void refuse_format(std::string_view key, std::string_view rule);
  void refuse_length(std::string_view key, std::size_t max_length);
  void refuse_range(std::string_view key, std::string_view rule);
  void refuse_missing(std::string_view key);

private:
  using element = simdjson::dom::element;

  object_reader(json_body& body, const simdjson::dom::object& object, std::string path, known_keys known,
                unknown_keys others);

  std::optional<element> find(std::string_view key) const;
  template <typename Convert>
  auto read(std::string_view key, presence expected, Convert convert, const char* rule)
      -> decltype(convert(element()));
  void refuse_in_column(std::string_view key, std::string_view rule, void (column_problems::*add)());
  bool items(const simdjson::dom::array& in, const std::string& path, known_keys known, unknown_keys others,
             std::size_t& count, const std::function<void(object_reader&)>& read);

  json_body& body_;
  std::string path_;
  std::vector<std::pair<std::string_view, element>> members_; ///< known keys only, each once
  bool is_empty_ = true;
};

/// Whether the text contains NUL, which no column accepts.
inline bool has_nul(std::string_view text) { return text.find('\0') != std::string_view::npos; }

/// Whether the text is empty or contains only spaces.
inline bool is_blank(std::string_view text) { return text.find_first_not_of(' ') == std::string_view::npos; }

/// Returns the number of characters, not bytes, of UTF-8 text.
inline std::size_t length_of(std::string_view text) { return domain::character_count(text); }

} // namespace roost::http
