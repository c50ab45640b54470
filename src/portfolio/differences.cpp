#include "portfolio/account.hpp"
#include "portfolio/write.hpp"

namespace roost::portfolio {

namespace {

template <typename V>
inline constexpr bool is_vector = false;
template <typename V>
inline constexpr bool is_vector<std::vector<V>> = true;

template <typename V>
std::string json_of(const V& value) {
  std::string text;
  append_json(text, value);
  return text;
}

/// Compares versions of objects by their descriptions.
class comparison {
public:
  explicit comparison(const writing& with) : with_(with) {}

  /// Compares the members of `before`, then those that only `after` has. `outer` names the objects around.
  template <typename Object, typename T>
  void compare(const Object& object, const T& before, const T& after, const std::string& outer = {}) {
    for (const bool in_before : {true, false})
      for_each_member(object, [&](const auto& member) {
        if (is_compared(member, before) == in_before && (in_before || is_compared(member, after)))
          compare_member(member, before, after, outer + std::string(member.name.view()));
      });
  }

  std::vector<difference> differences;

private:
  template <typename Member, typename T>
  bool is_compared(const Member& member, const T& object) const {
    return !Member::is_listed_separately && member.is_shown(object, with_);
  }

  template <typename Member, typename T>
  std::string text_in(const Member& member, const T& object) const {
    if (!member.is_shown(object, with_)) return "null";
    std::string text;
    member.write(text, object, with_);
    return text;
  }

  template <typename Member, typename T>
  void compare_member(const Member& member, const T& before, const T& after, const std::string& name) {
    if constexpr (requires { member.kind.described; }) {
      compare_objects(member, before, after, name);
    } else {
      compare_texts(member, before, after, name);
    }
  }

  /// An object that only one version has is compared as a whole.
  template <typename Member, typename T>
  void compare_objects(const Member& member, const T& before, const T& after, const std::string& name) {
    const auto &from = std::invoke(member.place, before), &to = std::invoke(member.place, after);
    if constexpr (!json::detail::is_optional<std::remove_cvref_t<decltype(from)>>)
      compare(*member.kind.described, from, to, name + '.');
    else if (from && to)
      compare(*member.kind.described, *from, *to, name + '.');
    else
      compare_texts(member, before, after, name);
  }

  template <typename Member, typename T>
  void compare_texts(const Member& member, const T& before, const T& after, const std::string& name) {
    if (auto from = text_in(member, before), to = text_in(member, after); from != to) {
      if (const auto secret = member.secret_name(); !secret.empty())
        differences.push_back({std::string(secret), std::nullopt, std::nullopt});
      else if constexpr (Member::is_kept)
        compare_values(name, std::invoke(member.place, before), std::invoke(member.place, after),
                       std::move(from), std::move(to));
    }
  }

  /// Compares maps key by key, and shows only that arrays differ.
  template <typename V>
  void compare_values(const std::string& name, const V& before, const V& after, std::string from,
                      std::string to) {
    if constexpr (requires { before.begin()->second; })
      compare_maps(name + '.', before, after);
    else if constexpr (is_vector<V>)
      differences.push_back({name, std::nullopt, std::nullopt});
    else
      differences.push_back({name, std::move(from), std::move(to)});
  }

  template <typename Map>
  void compare_maps(const std::string& outer, const Map& before, const Map& after) {
    for (const auto& [key, value] : before) {
      const auto other = after.find(key);
      if (other == after.end() || other->second != value)
        differences.push_back(
            {outer + key, json_of(value), other == after.end() ? "null" : json_of(other->second)});
    }
    for (const auto& [key, value] : after)
      if (!before.contains(key)) differences.push_back({outer + key, "null", json_of(value)});
  }

  const writing with_;
};

constexpr const auto& description_of(const domain::portfolio_account&) { return objects::account_object; }
constexpr const auto& description_of(const domain::platform_card&) { return objects::card_object; }
constexpr const auto& description_of(const domain::portfolio_user&) { return objects::user_object; }
constexpr const auto& description_of(const domain::portfolio_property&) { return objects::property_object; }
constexpr const auto& description_of(const domain::portfolio_unit&) { return objects::unit_object; }
constexpr const auto& description_of(const domain::block&) { return objects::block_object; }
constexpr const auto& description_of(const domain::imported_calendar&) { return objects::calendar_object; }

} // namespace

difference text_difference(std::string member, const std::optional<std::string>& from,
                           const std::optional<std::string>& to) {
  const auto text = [](const std::optional<std::string>& value) { return value ? json_of(*value) : "null"; };
  return {std::move(member), text(from), text(to)};
}

template <typename T>
std::vector<difference> differences(const T& before, const T& after, password_hashes hashes) {
  comparison all({.defaults = true, .password_hashes = hashes == password_hashes::written});
  all.compare(description_of(after), before, after);
  return std::move(all.differences);
}

template std::vector<difference> differences(const domain::portfolio_account&,
                                             const domain::portfolio_account&, password_hashes);
template std::vector<difference> differences(const domain::platform_card&, const domain::platform_card&,
                                             password_hashes);
template std::vector<difference> differences(const domain::portfolio_user&, const domain::portfolio_user&,
                                             password_hashes);
template std::vector<difference> differences(const domain::portfolio_property&,
                                             const domain::portfolio_property&, password_hashes);
template std::vector<difference> differences(const domain::portfolio_unit&, const domain::portfolio_unit&,
                                             password_hashes);
template std::vector<difference> differences(const domain::block&, const domain::block&, password_hashes);
template std::vector<difference> differences(const domain::imported_calendar&,
                                             const domain::imported_calendar&, password_hashes);

} // namespace roost::portfolio
