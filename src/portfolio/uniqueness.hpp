#pragma once

#include "domain/uuid.hpp"
#include "portfolio/reader.hpp"

#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace roost::portfolio {

/// The JSON pointer of `at`, whose indexes belong to these lists, outermost first.
std::string pointer_to(const pointer& at, const std::vector<std::string_view>& lists);

/// Values that only one place of a kind may have.
template <typename Key, typename Hash = std::hash<Key>>
class unique_values {
public:
  /// Places of the kind are `/lists[0]/index/lists[1]/index…`.
  unique_values(std::initializer_list<std::string_view> lists) : lists_(lists) {}

  /// Takes the value for where the reader stands; a problem when another place has it.
  bool claim(reader& in, const Key& value) {
    const auto [at, is_new] = taken_.try_emplace(value, in.position());
    return is_new || in.refuse("is already used by " + pointer_to(at->second, lists_));
  }

  void clear() { taken_.clear(); }

private:
  std::vector<std::string_view> lists_;
  std::unordered_map<Key, pointer, Hash> taken_;
};

/// What may occur only once in a file, or once in an account of it.
struct uniqueness {
  using ids = unique_values<domain::uuid, domain::uuid_hash>;
  using texts = unique_values<std::string>;

  ids accounts{"accounts"};
  ids users{"accounts", "users"};
  ids properties{"accounts", "properties"};
  ids units{"accounts", "properties", "units"};
  ids blocks{"accounts", "properties", "units", "blocks"};
  ids usage_records{"accounts", "aiUsage"};
  texts landlord_keys{"accounts"};
  texts emails{"accounts", "users"}; ///< by their folded case

  texts unit_names{"accounts", "properties", "units"};            ///< of one account
  texts external_ids{"accounts", "properties", "units", "links"}; ///< of one account, after their platform

  /// Forgets what only one account must not repeat.
  void begin_account() {
    unit_names.clear();
    external_ids.clear();
  }
};

} // namespace roost::portfolio
