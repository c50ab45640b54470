#pragma once

#include "domain/date.hpp"
#include "domain/money.hpp"
#include "http/json/json_body.hpp"

#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roost::http {

enum class presence { required, optional };

/// What becomes of keys that a route does not know.
enum class unknown_keys { refused, discarded };

/// The names of the members that a route knows.
struct known_keys {
  // NOLINTNEXTLINE(google-explicit-constructor): a list in braces
  known_keys(std::initializer_list<std::string_view> list) : names(list.begin(), list.size()) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  known_keys(std::span<const std::string_view> list) : names(list) {}

  std::span<const std::string_view> names;
};

/// What a number must keep to.
struct number_bounds {
  std::optional<int> least = {}, greatest = {};
  bool whole = false; ///< and be refused by its type otherwise
};

/// The typed fields of an object: a body, or an object in one, whose messages start with the path to it
/// (`rentsPerMonth.0.month must …`). Each key counts once: of one that is repeated the last value, as for
/// JavaScript's JSON.parse(); a null counts as absent. What is wrong with a type goes to the body's messages,
/// what only a column would refuse to its column problems. Each function returns nothing for a field that is
/// absent or was refused; an absent one that is required is refused as one of another type is.
class object_reader {
public:
  /// Reads the whole body, and refuses each key that is not known.
  object_reader(json_body& body, const known_keys& known);

  std::optional<std::string> text(std::string_view key, presence wanted);
  /// For who has a message of its own: nothing where it is no string.
  std::optional<std::string> text_if(std::string_view key) const;
  /// To be stored: on one line, and of at most so many characters.
  std::optional<std::string> text(std::string_view key, presence wanted, std::size_t longest);
  /// To be stored, where only the column says what it takes: one of another type has an invalid format. An
  /// empty one counts as absent.
  std::optional<std::string> column_text(std::string_view key, std::size_t longest);
  /// A string, or a number's text.
  std::optional<std::string> identifier(std::string_view key, presence wanted);
  std::optional<std::string> identifier(std::string_view key, presence wanted, std::size_t longest);
  std::optional<bool> flag(std::string_view key, presence wanted);
  std::optional<std::string> number_text(std::string_view key, presence wanted); ///< a number's text
  std::optional<double> number(std::string_view key, presence wanted, const number_bounds& bounds = {});
  /// A number of 0 or more, below the amount limit.
  std::optional<domain::money> amount(std::string_view key, presence wanted);
  /// A whole number from `least` to `greatest`.
  std::optional<int> count(std::string_view key, presence wanted, int least, int greatest);
  std::optional<domain::date> day(std::string_view key, presence wanted);

  /// An object; `read` reads it. Nothing happens when it is absent. False when it is present and no object.
  bool object(std::string_view key, const known_keys& known, unknown_keys others,
              const std::function<void(object_reader&)>& read);

  /// An array of objects; `read` reads one. An array in it counts as its items. Returns how many objects
  /// there are.
  std::size_t objects(std::string_view key, presence wanted, const known_keys& known, unknown_keys others,
                      const std::function<void(object_reader&)>& read);

  bool has(std::string_view key) const { return find(key).has_value(); }
  bool is_empty() const { return is_empty_; } ///< no keys at all, known or not

  void refuse(std::string message) { body_.refuse(path_ + std::move(message)); }
  column_problems& columns() { return body_.columns(); }

private:
  using element = simdjson::dom::element;

  /// The keys that a route knows of an object, and what becomes of the others.
  struct key_set {
    std::span<const std::string_view> known;
    unknown_keys others = unknown_keys::refused;
  };

  object_reader(json_body& body, const simdjson::dom::object& object, std::string path, const key_set& keys);

  std::optional<element> find(std::string_view key) const;
  bool items(const simdjson::dom::array& in, const std::string& path, const key_set& keys, std::size_t& count,
             const std::function<void(object_reader&)>& read);

  json_body& body_;
  std::string path_;
  std::vector<std::pair<std::string_view, element>> members_; ///< known ones, each key once
  bool is_empty_ = true;
};

/// Characters, not bytes, of UTF-8 text.
std::size_t length_of(std::string_view text);

} // namespace roost::http
