#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "store/audit/audit.hpp"
#include "store/database/session.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// What all reads and writes of a landlord's office have in common (docs/office-api.md).
namespace roost::store {

/// The part of an account that a user of the office sees.
struct office_scope {
  domain::uuid account_id{};
  std::optional<domain::uuid> owner_id; ///< only the properties of this owner; nullopt: all properties
  std::optional<domain::uuid> unit_id = std::nullopt; ///< of resources of one unit

  friend bool operator==(const office_scope&, const office_scope&) = default;
};

/// A part of a list that has a stable order.
template <typename Item>
struct office_page {
  std::vector<Item> items;
  bool has_more = false;  ///< items follow the last one
  std::int64_t total = 0; ///< of the whole list
};

/// Whether the total of a list is counted, which may take as long as reading all of it.
enum class with_total { no, yes };
/// Returns a page of rows that were read with a limit of `limit + 1`.
template <typename Item>
office_page<Item> page_of(std::vector<Item> rows, std::size_t limit, std::int64_t total) {
  office_page<Item> page{std::move(rows), false, total};
  page.has_more = page.items.size() > limit;
  if (page.has_more) page.items.resize(limit);
  return page;
}

/// Who writes and when, with the entry for the audit log. Its id is also the id of the changelog's entry.
struct office_author {
  std::string name; ///< the user's email address, as in the changelog
  domain::timestamp now{};
  audit_entry audit;
};

/// The last change of a resource.
struct last_change {
  std::string by; ///< a user's email address, a platform's name, or `import`
  domain::timestamp at{};
};

/// Who changed what the changelog does not know.
inline constexpr const char* changed_by_import = "import";

enum class office_result {
  created,
  repeated, ///< the same request created the resource before
  changed,
  unchanged, ///< the values are those that it has
  deleted,
  not_found,
  unconditional, ///< the client did not say which state it has seen
  outdated,      ///< the resource has changed since the client read it
  other_request, ///< another request created a resource under this id
  forbidden,     ///< the user must not make this change
  refused,       ///< the values contradict each other
  conflicting,   ///< the values contradict other resources
  archived,      ///< instead of being deleted, because it has bookings
  booked,        ///< a night is booked
};

} // namespace roost::store
