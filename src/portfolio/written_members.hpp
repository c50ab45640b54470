#pragma once

#include "domain/decimal.hpp"
#include "domain/portfolio.hpp"
#include "json/writer.hpp"

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// The objects of a portfolio file as they are written: the counterpart of reading them. Members stand in the
/// order of docs/portfolio.md.
namespace roost::portfolio {

/// What becomes of a member that means the same as none.
enum class defaults {
  left_out,
  written, ///< where the format has a way to write it
};

/// A member of an object, with its value as JSON: on one line, or where it is a list of objects with a line
/// for each of them.
struct written_member {
  std::string_view name;
  std::string json;
  std::vector<std::string> elements; ///< then `json` is empty
};
using written_members = std::vector<written_member>;

/// The object, or the list, on one line.
std::string on_one_line(const written_members& object);
std::string on_one_line(const std::vector<std::string>& elements);

/// A value as JSON.
template <typename T>
std::string json_of(const T& value) {
  if constexpr (std::convertible_to<const T&, std::string_view> || std::integral<T> ||
                std::same_as<T, domain::money> || std::same_as<T, domain::date> ||
                std::same_as<T, domain::timestamp>) {
    static thread_local json::writer json;
    json.clear();
    json.value(value);
    return std::string(json.text());
  } else if constexpr (std::same_as<T, domain::uuid>) {
    return json_of(domain::to_string(value));
  } else {
    static_assert(std::same_as<T, domain::decimal>);
    return domain::to_string(value);
  }
}
std::string json_of(double degrees);
std::string json_of(const std::vector<std::string>& texts);
std::string json_of(const domain::localized_text& texts);
template <typename T>
std::string json_of(const std::optional<T>& maybe) {
  return maybe ? json_of(*maybe) : "null";
}

/// Collects the members of an object.
class member_list {
public:
  explicit member_list(defaults mode) : mode_(mode) {}

  defaults mode() const { return mode_; }

  template <typename T>
  void put(std::string_view name, const T& value) {
    members_.push_back({name, json_of(value), {}});
  }
  /// A member that is `usual` when it is left out.
  template <typename T>
  void put(std::string_view name, const T& value, const std::type_identity_t<T>& usual) {
    if (mode_ == defaults::written || value != usual) put(name, value);
  }
  /// An object that may be left out when it is empty.
  void put_object(std::string_view name, const written_members& object) {
    if (!object.empty()) members_.push_back({name, on_one_line(object), {}});
  }
  void put_json(std::string_view name, std::string json) { members_.push_back({name, std::move(json), {}}); }
  /// A list of objects.
  template <typename T, typename Write>
  void put_list(std::string_view name, const std::vector<T>& list, Write write) {
    if (list.empty()) {
      if (mode_ == defaults::written) put_json(name, "[]");
      return;
    }
    written_member member{name, {}, {}};
    for (const auto& each : list) member.elements.push_back(on_one_line(write(each)));
    members_.push_back(std::move(member));
  }

  written_members take() { return std::move(members_); }

private:
  defaults mode_;
  written_members members_;
};

/// Whether users' password hashes are written.
enum class password_hashes { left_out, written };

/// Without cards, users, properties and usage records.
written_members members_of(const domain::account& account, defaults mode);
written_members members_of(const domain::platform_card& card, defaults mode);
written_members members_of(const domain::user& user, password_hashes hashes, defaults mode);
/// Without units.
written_members members_of(const domain::property& property, defaults mode);
written_members members_of(const domain::portfolio_unit& unit, defaults mode);
/// Without what belongs to a unit but has a life of its own: windows, blocks, links and exclusions.
written_members own_members_of(const domain::portfolio_unit& unit, defaults mode);
written_members members_of(const domain::booking_window& window);
written_members members_of(const domain::block& block, defaults mode);
written_members members_of(const domain::link& link);
written_members members_of(const domain::ai_usage_record& record, defaults mode);

void put_images(member_list& to, const std::vector<domain::image>& images);

} // namespace roost::portfolio
