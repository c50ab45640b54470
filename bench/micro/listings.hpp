#pragma once

#include "listings/full_listing.hpp"
#include "listings/listing.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace roost::listings::micro {

using domain::account, domain::calendar, domain::platform, domain::property, domain::property_terms,
    domain::unit, domain::unit_presentation;

/// What one listing is made from.
struct sample_listing {
  domain::account account;
  property_terms property;
  unit terms;
  domain::calendar calendar;
  domain::platform platform;
  std::string external_id = "1000001";
  std::optional<domain::property> in_full; ///< none: the partial form
  unit_presentation shown;
  std::optional<std::string> link_url;

  void write(json::writer& json) const;
};

/// Listings of every kind, by name.
const std::map<std::string_view, sample_listing>& sample_listings();

} // namespace roost::listings::micro
