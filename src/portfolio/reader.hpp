#pragma once

#include "domain/platform.hpp"
#include "domain/text.hpp"
#include "domain/uuid.hpp"
#include "portfolio/json_tree.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace roost::portfolio {

/// A problem of a portfolio file.
struct problem {
  std::string pointer; ///< JSON pointer (RFC 6901); empty: the whole document
  std::string text;

  friend bool operator==(const problem&, const problem&) = default;
};

/// Returns one line: `/accounts/0/currency: is required`. Names of members may contain line ends.
inline std::string to_string(const problem& problem) {
  return domain::one_line(problem.pointer.empty() ? problem.text : problem.pointer + ": " + problem.text);
}

/// The rules of portfolio files that depend on the configuration.
struct context {
  std::vector<domain::platform> platforms;
  std::vector<std::string> roles;
  std::vector<std::string> short_term_hosts;
  /// Returns whether a text is a password hash of the kind that the store keeps. If empty, none is.
  std::function<bool(std::string_view text)> is_password_hash;
  /// Receives the number of bytes of the file that are read, about once a megabyte and at its end. May be
  /// empty.
  std::function<void(std::size_t bytes)> progress;
};

/// The array indexes on the path to a value, outermost first. Small, because every id of a file keeps one.
using pointer = std::array<std::uint32_t, 4>;

struct file_scope;

/// The names of the members that an object may have, in the order of its description; at most 64.
struct member_names {
  std::span<const std::string_view> all;
  std::uint64_t required = 0; ///< a bit for each of them
};

/// Walks a JSON tree and tracks its position, so that a problem can name its place. Reading continues after a
/// problem: every function returns whether its value was good; a bad one leaves its target unchanged.
class reader {
public:
  /// Starts at `at`, which is element `index` of the member `list` of the document's root.
  reader(const json_node& at, std::vector<problem>& problems, file_scope& file, std::string_view list,
         std::size_t index)
      : at_(&at), problems_(&problems), file_(&file), path_{{list, no_index}, {{}, index}} {}

  /// Starts at the document's root.
  reader(const json_node& root, std::vector<problem>& problems, file_scope& file)
      : at_(&root), problems_(&problems), file_(&file) {}

  const json_node& node() const { return *at_; }
  bool is(json_type type) const { return at_->type == type; }
  bool is_null() const { return is(json_type::null); }
  file_scope& file() const { return *file_; }

  /// Reports a problem with this value, a member of this object or an element of this array. Returns false.
  bool refuse(std::string text);
  bool refuse_member(std::string_view name, std::string text) { return refuse_at({name}, std::move(text)); }
  bool refuse_element(std::size_t index, std::string text) { return refuse_at({{}, index}, std::move(text)); }

  pointer position() const;

  /// Reads an object that has exactly these members, each at most once: `read(index)` reads the value of one.
  /// Sets the bits of the members that it has. Returns false if it is not an object, a required member is
  /// missing or a known one was bad.
  bool object(const member_names& names, std::uint64_t& given, const std::function<bool(std::size_t)>& read);

  /// Reads an object of any keys, each at most once: `read(key)` reads the member's value.
  template <typename Read>
  bool members(Read read) {
    if (!is(json_type::object)) return refuse("must be an object");
    return for_each_part([&, &object = *at_](const json_node& member) {
      return is_repeated(object, member) ? refuse("is given twice") : read(member.key);
    });
  }

  /// Reads an array: `read()` reads each element.
  template <typename Read>
  bool elements(Read read) {
    if (!is(json_type::array)) return refuse("must be an array");
    return for_each_part([&](const json_node&) { return read(); });
  }

  /// Reads an array into `to`, each element by `read(value)`. Adds bad ones, too, so that later ones can be
  /// compared with them.
  template <typename T, typename Read>
  bool list(std::vector<T>& to, Read read) {
    to.clear();
    return elements([&] {
      T value{};
      const bool good = read(value);
      to.push_back(std::move(value));
      return good;
    });
  }

  /// Reads a value by `read(value)`, or null.
  template <typename T, typename Read>
  bool nullable(std::optional<T>& to, Read read) {
    to.reset();
    if (is_null()) return true;
    T value{};
    if (!read(value)) return false;
    to = std::move(value);
    return true;
  }

  /// Returns this object's first member of that name and type; null if there is none.
  const json_node* find(std::string_view name, json_type type) const;

  /// Returns the text of a member of this object before it is read; empty if there is none.
  std::string_view peek_text(std::string_view name) const {
    const auto* found = find(name, json_type::text);
    return found ? found->text : std::string_view{};
  }

private:
  static constexpr std::size_t no_index = std::numeric_limits<std::size_t>::max();

  /// Into an element when it has an index, else into the member of that name.
  struct step {
    std::string_view name;
    std::size_t index = no_index;
  };

  bool refuse_at(step part, std::string text);
  bool is_repeated(const json_node& object, const json_node& member) const;

  /// Calls `each` for every member of this object or element of this array, with this reader at its value.
  template <typename Each>
  bool for_each_part(Each each) {
    bool good = true;
    const auto& whole = *at_;
    std::size_t index = 0;
    for_each_child(whole, [&](const json_node& part) {
      path_.push_back(whole.type == json_type::array ? step{{}, index++} : step{part.key});
      at_ = &part;
      good &= each(part);
      path_.pop_back();
    });
    at_ = &whole;
    return good;
  }

  const json_node* at_;
  std::vector<problem>* problems_;
  file_scope* file_;
  std::vector<step> path_;
};

/// Returns the name most similar to `word` as `; did you mean "…"?`; empty if none is close enough.
std::string hint(std::string_view word, std::span<const std::string_view> names);

/// Returns the JSON pointer of `at`, whose indexes belong to these lists, outermost first.
std::string pointer_to(const pointer& at, const std::vector<std::string_view>& lists);

/// Values that may occur only once.
template <typename Key, typename Hash = std::hash<Key>>
class unique_values {
public:
  /// The values are in `/lists[0]/index/lists[1]/index…`.
  unique_values(std::initializer_list<std::string_view> lists) : lists_(lists) {}

  /// Records the value for the reader's position; refuses one that is recorded for another.
  bool claim(reader& in, const Key& value, const char* problem = "is already used by ") {
    const auto [at, is_new] = taken_.try_emplace(value, in.position());
    return is_new || in.refuse(problem + pointer_to(at->second, lists_));
  }

  void clear() { taken_.clear(); }

private:
  std::vector<std::string_view> lists_;
  std::unordered_map<Key, pointer, Hash> taken_;
};

/// The values that may occur only once in a file, or once in an account.
struct uniqueness {
  using ids = unique_values<domain::uuid, domain::uuid_hash>;
  using texts = unique_values<std::string>;

  ids accounts{"accounts"};
  ids users{"accounts", "users"};
  ids properties{"accounts", "properties"};
  ids units{"accounts", "properties", "units"};
  ids export_addresses{"accounts", "properties", "units"}; ///< or the ids of units without one
  ids blocks{"accounts", "properties", "units", "blocks"};
  ids calendars{"accounts", "properties", "units", "calendars"};
  ids usage_records{"accounts", "aiUsage"};
  texts landlord_keys{"accounts"};
  texts emails{"accounts", "users"}; ///< their keys

  texts unit_names{"accounts", "properties", "units"};            ///< of one account
  texts external_ids{"accounts", "properties", "units", "links"}; ///< of one account, after their platform

  /// Forgets the values that are unique in an account.
  void begin_account() {
    unit_names.clear();
    external_ids.clear();
  }
};

/// The state of reading one file.
struct file_scope {
  explicit file_scope(const context& with) : configured(with) {
    std::ranges::transform(with.platforms, std::back_inserter(platforms),
                           [](const domain::platform& platform) { return std::string_view{platform.name}; });
    roles.assign(with.roles.begin(), with.roles.end());
    short_term_hosts.assign(with.short_term_hosts.begin(), with.short_term_hosts.end());
  }

  /// One of `platforms`.
  const domain::platform& platform(std::string_view name) const {
    return *std::ranges::find(configured.platforms, name, &domain::platform::name);
  }

  const context& configured;
  std::vector<std::string_view> platforms, roles, short_term_hosts; ///< configured names
  uniqueness unique;
  domain::uuid account{}, property{}; ///< being read; nil while their ids are bad
};

} // namespace roost::portfolio
