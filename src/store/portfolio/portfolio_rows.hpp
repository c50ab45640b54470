#pragma once

#include "domain/unit.hpp"
#include "store/database/bulk.hpp"

#include <string_view>

/// Rows of properties and units, wherever they come from.
namespace roost::store {

/// For a writer of tables::properties.
void add_property(bulk_writer& to, const domain::property& property, const domain::uuid& account,
                  domain::timestamp now);

/// Where a unit's row belongs.
struct unit_parent {
  const domain::uuid& account;
  const domain::uuid& property;
  std::string_view name; ///< its internal name, or what stands for it for now
  domain::timestamp now;
};

/// For a writer of tables::units.
void add_unit(bulk_writer& to, const domain::unit& terms, const domain::unit_presentation& shown,
              const unit_parent& at);

} // namespace roost::store
