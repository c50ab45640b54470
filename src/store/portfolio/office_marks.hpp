#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "store/database/session.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

/// Marks of what the office has written, which imports respect. Blocks have their own
/// (store/office/blocks.hpp).
namespace roost::store {

enum class office_part { account, card, user, property, unit, link, exclusion, calendar };

inline constexpr std::array<std::string_view, 8> office_part_names{
    "account", "card", "user", "property", "unit", "link", "exclusion", "calendar"};
constexpr const auto& names_of(office_part) { return office_part_names; }

enum class office_state {
  created, ///< by the office: imports do not remove it
  changed, ///< imported, and changed by the office
  deleted, ///< no longer in the store: imports do not bring it back
};

inline constexpr std::array<std::string_view, 3> office_state_names{"created", "changed", "deleted"};
constexpr const auto& names_of(office_state) { return office_state_names; }

struct office_mark {
  domain::uuid account_id{};
  office_part part = office_part::unit;
  domain::uuid id{};    ///< of a card, its account's; of a link or an exclusion, its unit's
  std::string platform; ///< of a card, a link or an exclusion; otherwise empty
  office_state state = office_state::changed;
  std::int64_t position = 0;   ///< of the last write, in the change stream
  std::string changed_by = {}; ///< the user's email address
  domain::timestamp changed_at = {};

  friend bool operator==(const office_mark&, const office_mark&) = default;
};

/// An object and its platform, as in its mark.
using mark_key = std::tuple<office_part, domain::uuid, std::string>;

/// Writes marks. What the office had created stays `created` when it changes. Requires a transaction.
void write_marks(session& db, std::span<const office_mark> marks);

/// Removes marks, by their keys. Requires a transaction.
void forget_marks(session& db, std::span<const office_mark> marks);

/// Returns the marks of these accounts, by account, part, id and platform.
std::vector<office_mark> marks_of(session& db, std::span<const domain::uuid> accounts);

/// Returns the mark of an object; nullopt if the office has not written it.
std::optional<office_mark> find_mark(session& db, office_part part, const domain::uuid& id,
                                     std::string_view platform = {});

/// Returns whether the office has written something of these accounts after a position of the change stream.
bool has_marks_since(session& db, std::span<const domain::uuid> accounts, std::int64_t position);

} // namespace roost::store
