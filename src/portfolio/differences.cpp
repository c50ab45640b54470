#include "portfolio/differences.hpp"

#include "portfolio/account.hpp"

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

template <typename Object, typename T>
std::vector<difference> compared(const Object& object, const T& before, const T& after, const writing& with,
                                 std::string outer);

/// Compares two versions of an object by its description.
template <typename T>
class comparison {
public:
  comparison(const T& before, const T& after, const writing& with, std::string outer)
      : before_(before), after_(after), with_(with), outer_(std::move(outer)) {}

  /// Compares the members of `before`, then those that only `after` has.
  template <typename Object>
  std::vector<difference> run(const Object& object) {
    for_each_member(object, [&](const auto& member) {
      if (is_compared(member, before_)) compare(member);
    });
    for_each_member(object, [&](const auto& member) {
      if (!is_compared(member, before_) && is_compared(member, after_)) compare(member);
    });
    return std::move(found_);
  }

private:
  template <typename Member>
  bool is_compared(const Member& member, const T& of) const {
    return !Member::is_apart && member.is_shown(of, with_);
  }

  template <typename Member>
  std::string text_in(const Member& member, const T& of) const {
    std::string text = "null";
    if (!member.is_shown(of, with_)) return text;
    text.clear();
    member.write(text, of, with_);
    return text;
  }

  template <typename Member>
  void compare(const Member& member) {
    const auto name = outer_ + std::string(member.name.view());
    if constexpr (requires { member.kind.described; }) {
      add(compared(*member.kind.described, std::invoke(member.place, before_),
                   std::invoke(member.place, after_), with_, name + '.'));
    } else if (auto from = text_in(member, before_), to = text_in(member, after_); from != to) {
      if (const auto secret = member.secret_name(); !secret.empty())
        found_.push_back({std::string(secret), std::nullopt, std::nullopt});
      else
        compare_values(name, member, std::move(from), std::move(to));
    }
  }

  /// Compares maps key by key, and shows only that arrays differ.
  template <typename Member>
  void compare_values(const std::string& name, const Member& member, std::string from, std::string to) {
    if constexpr (Member::is_kept) {
      const auto &before = std::invoke(member.place, before_), &after = std::invoke(member.place, after_);
      if constexpr (requires { before.begin()->second; })
        compare_maps(name + '.', before, after);
      else if constexpr (is_vector<std::remove_cvref_t<decltype(before)>>)
        found_.push_back({name, std::nullopt, std::nullopt});
      else
        found_.push_back({name, std::move(from), std::move(to)});
    }
  }

  template <typename Map>
  void compare_maps(const std::string& outer, const Map& before, const Map& after) {
    for (const auto& [key, value] : before) {
      const auto found = after.find(key);
      if (found == after.end())
        found_.push_back({outer + key, json_of(value), "null"});
      else if (found->second != value)
        found_.push_back({outer + key, json_of(value), json_of(found->second)});
    }
    for (const auto& [key, value] : after)
      if (!before.contains(key)) found_.push_back({outer + key, "null", json_of(value)});
  }

  void add(std::vector<difference> more) {
    found_.insert(found_.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }

  const T &before_, &after_;
  const writing with_;
  const std::string outer_; ///< the names of the objects around this one
  std::vector<difference> found_;
};

template <typename Object, typename T>
std::vector<difference> compared(const Object& object, const T& before, const T& after, const writing& with,
                                 std::string outer) {
  return comparison<T>(before, after, with, std::move(outer)).run(object);
}

constexpr const auto& description_of(const domain::portfolio_account&) { return objects::account_object; }
constexpr const auto& description_of(const domain::platform_card&) { return objects::card_object; }
constexpr const auto& description_of(const domain::portfolio_user&) { return objects::user_object; }
constexpr const auto& description_of(const domain::portfolio_property&) { return objects::property_object; }
constexpr const auto& description_of(const domain::portfolio_unit&) { return objects::unit_object; }
constexpr const auto& description_of(const domain::block&) { return objects::block_object; }

} // namespace

difference text_difference(std::string member, const std::optional<std::string>& from,
                           const std::optional<std::string>& to) {
  const auto text = [](const std::optional<std::string>& of) { return of ? json_of(*of) : "null"; };
  return {std::move(member), text(from), text(to)};
}

template <typename T>
std::vector<difference> differences(const T& before, const T& after, password_hashes hashes) {
  const writing with{.defaults = true, .password_hashes = hashes == password_hashes::written};
  return compared(description_of(after), before, after, with, {});
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

} // namespace roost::portfolio
