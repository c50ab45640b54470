#pragma once

#include "listings/listing.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace roost::listings::micro {

using domain::account, domain::calendar, domain::platform, domain::property, domain::property_terms,
    domain::unit, domain::unit_presentation;

/// The data of one listing.
struct sample_listing {
  domain::account account;
  property_terms property;
  unit terms;
  domain::calendar calendar;
  domain::platform platform;
  std::string external_id = "1000001";
  std::optional<domain::property> full; ///< nullopt: a partial listing
  unit_presentation presentation;
  std::optional<std::string> link_url;

  void write(json::writer& json) const;
};

/// Returns listings of every kind, by name.
const std::map<std::string_view, sample_listing>& sample_listings();

} // namespace roost::listings::micro
