#pragma once

#include "domain/text.hpp"
#include "store/office/office.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

/// Lists by name. Names are compared here: a database orders and searches texts in its own way.
namespace roost::store {

/// The place of a resource in the order of a list: by its name, as it is compared, and its id.
struct name_place {
  std::string name;
  domain::uuid id{};

  friend bool operator<(const name_place& a, const name_place& b) {
    return std::tie(a.name, a.id) < std::tie(b.name, b.id);
  }
};

inline name_place place_of_name(std::string_view name, const domain::uuid& id) {
  return {domain::folded_without_accents(name), id};
}

/// Collects resources whose names contain a text, in any letter case and without accents.
class name_list {
public:
  explicit name_list(std::string_view text) : text_(domain::folded_without_accents(text)) {}

  /// `other` is another text that may contain the wanted one.
  void add(const domain::uuid& id, std::string_view name, std::string_view other) {
    auto place = place_of_name(name, id);
    if (place.name.find(text_) == std::string::npos &&
        domain::folded_without_accents(other).find(text_) == std::string::npos)
      return;
    places_.push_back(std::move(place));
  }

  /// Returns the resources after a place, at most `limit`. `read(ids)` returns them in any order, and
  /// `place_of(resource)` their places.
  template <typename Resource, typename Read>
  office_page<Resource> page(const std::optional<name_place>& after, std::size_t limit, Read read,
                             name_place (*place_of)(const Resource&)) {
    std::sort(places_.begin(), places_.end());
    const auto first = after ? std::upper_bound(places_.begin(), places_.end(), *after) : places_.begin();
    const auto count = std::min<std::ptrdiff_t>(places_.end() - first, static_cast<std::ptrdiff_t>(limit));
    std::vector<domain::uuid> ids;
    std::transform(first, first + count, std::back_inserter(ids),
                   [](const name_place& each) { return each.id; });
    office_page<Resource> page;
    page.total = static_cast<std::int64_t>(places_.size());
    page.has_more = first + count != places_.end();
    page.items = read(ids);
    std::sort(page.items.begin(), page.items.end(),
              [&](const Resource& a, const Resource& b) { return place_of(a) < place_of(b); });
    return page;
  }

  /// Returns the ids of all resources in the order of the list.
  std::vector<domain::uuid> take_ids() && {
    std::sort(places_.begin(), places_.end());
    std::vector<domain::uuid> ids;
    ids.reserve(places_.size());
    for (const auto& each : places_) ids.push_back(each.id);
    return ids;
  }

private:
  const std::string text_;
  std::vector<name_place> places_;
};

} // namespace roost::store
