#pragma once

#include "actors/office/office_resources.hpp"
#include "domain/account.hpp"
#include "http/office/office_api.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What each platform reads and requests of an account.
namespace roost::http {

/// How many units are withheld for a reason.
struct counted_reason {
  std::string_view code, text;
  std::int64_t units = 0;
};

/// A link that does not lead every request of the platform to its unit.
struct mapping_problem {
  domain::uuid unit_id{};
  std::string unit_name;
  std::string_view code, text;
};

struct unit_counts {
  std::int64_t linked = 0, published = 0, withheld = 0;
  std::vector<counted_reason> reasons = {}; ///< in the order in which units have them
  std::vector<mapping_problem> mapping_problems = {};
};

struct office_platform {
  std::string name;
  std::optional<domain::platform_card> card;
  std::optional<std::string> card_tag; ///< with which the card can be changed
  unit_counts units;
  store::platform_activity activity;
  std::optional<domain::timestamp> list_built_at;
  std::optional<std::int64_t> list_age; ///< seconds
};

/// Returns all platforms, in the order of the configuration; nullopt while memory is being loaded. Its result
/// runs on the store's thread: an account may have thousands of units.
std::function<std::optional<std::vector<office_platform>>(store::session&)>
read_platforms(const office_services& services, const store::office_scope& scope);

} // namespace roost::http
