#pragma once

#include "domain/date.hpp"
#include "http/json/column_problems.hpp"
#include "http/json/json_body.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace roost::http {

enum class presence { required, optional };

/// What a number must keep to.
struct number_bounds {
  std::optional<int> least = {}, greatest = {};
  bool whole = false; ///< and be refused by its type otherwise
};

/// The typed fields of an object: a body, or an object in one, whose messages start with its place
/// (`rentsPerMonth.0.month must …`). What is wrong with a type goes to the body's messages, what only a
/// column would refuse to its column problems. Each function answers nothing for a field that is absent or
/// was refused; an absent one that is required is refused as one of another type is.
class object_fields {
public:
  object_fields(json_body& body, column_problems& columns)
      : object_fields(body, columns, body.object(), {}) {}

  /// Refuses each key that is not among these.
  void allow(std::initializer_list<std::string_view> keys);

  std::optional<std::string> text(std::string_view key, presence wanted);
  /// To be stored: on one line, and of at most so many characters.
  std::optional<std::string> text(std::string_view key, presence wanted, std::size_t longest);
  /// A string, or a number's text.
  std::optional<std::string> identifier(std::string_view key, presence wanted, std::size_t longest);
  std::optional<bool> flag(std::string_view key, presence wanted);
  std::optional<std::string> number_text(std::string_view key, presence wanted); ///< a number's text
  std::optional<double> number(std::string_view key, presence wanted, const number_bounds& bounds = {});
  /// A number of 0 or more, below the amount limit.
  std::optional<domain::money> amount(std::string_view key, presence wanted);
  /// A whole number from `least` to `greatest`.
  std::optional<int> count(std::string_view key, presence wanted, int least, int greatest);
  std::optional<domain::date> day(std::string_view key, presence wanted);

  /// An array of objects; `each` reads one. An array in it counts as its items. Answers how many objects
  /// there are.
  std::size_t objects(std::string_view key, presence wanted, const std::function<void(object_fields&)>& each);

  void refuse(std::string message) { body_.refuse(path_ + std::move(message)); }

private:
  object_fields(json_body& body, column_problems& columns, simdjson::dom::object object, std::string path)
      : body_(body), columns_(columns), object_(object), path_(std::move(path)) {}

  std::optional<simdjson::dom::element> find(std::string_view key) const { return find_in(object_, key); }
  void check(std::string_view text, std::size_t longest);
  bool items(const simdjson::dom::array& in, const std::string& path, std::size_t& count,
             const std::function<void(object_fields&)>& each);

  json_body& body_;
  column_problems& columns_;
  simdjson::dom::object object_;
  std::string path_;
};

} // namespace roost::http
