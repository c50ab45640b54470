#include "listings.hpp"

#include <chrono>

namespace roost::listings::micro {

using domain::account, domain::block, domain::calendar, domain::date, domain::days, domain::deposit_mode,
    domain::fee_mode, domain::markup_mode, domain::money, domain::platform, domain::platform_kind,
    domain::property, domain::to_string;

namespace {

const date today = std::chrono::year{2026} / 11 / 20;

/// A room at a fixed rent with six stays ahead, fees, a tiered admin fee and one booking window: 1.5 KB.
sample_listing room(platform_kind kind) {
  sample_listing made;
  made.platform = {.name = std::string{to_string(kind)}, .kind = kind};
  made.account.advance_notice_days = 2;
  made.account.cards = {
      {made.platform.name, "feeds@landlord-00001.example", {markup_mode::percentage, 5'00}, 90}};
  made.property.cleaning_fee = {.enabled = true, .value = {45'50}};
  made.property.monthly_bills = money{60'00};
  made.property.parking = money{45'00};
  made.terms.internal_name = "Calle Mayor 12, room 1";
  made.terms.capacity = 2;
  made.terms.rent.amount = {655'50};
  made.terms.min_stay_months = 1;
  made.terms.max_stay_months = 11;
  made.terms.extra_price_per_tenant = {80'00};
  made.terms.admin_fee = {
      .enabled = true, .mode = fee_mode::tiered, .tiers = {{1, {99'50}}, {90, {150'00}}, {180, {200'00}}}};
  made.terms.deposit = {deposit_mode::rent_multiple, 1'50};
  made.terms.booking_windows = {{today + days{30}, today + days{90}, today + days{180}, today + days{300}}};
  made.terms.created_at = made.terms.updated_at = date{std::chrono::year{2026} / 1 / 10};
  for (int stay = 0; stay < 6; ++stay) {
    block held;
    held.nights = {today + days{10 + stay * 60}, today + days{50 + stay * 60}};
    held.created_at = held.updated_at = date{std::chrono::year{2026} / 9 / 1} + std::chrono::seconds{stay};
    made.calendar.add(held);
  }
  return made;
}

/// The same with a rent for each month.
sample_listing seasonal_room(platform_kind kind) {
  auto made = room(kind);
  made.terms.rent.fixed = false;
  for (unsigned month = 1; month <= 12; ++month)
    made.terms.rent.per_month.push_back(
        {month, {600'00 + month * 12'50}, made.terms.created_at, made.terms.updated_at});
  return made;
}

/// The room as full feeds show it: with texts in two languages, pictures and an address.
sample_listing room_in_full(platform_kind kind) {
  auto made = room(kind);
  made.account.currency = "EUR";
  made.link_url = "https://marketplace-a.example/rooms/8812?staticId=1000001";
  auto& property = made.in_full.emplace();
  property.address = {"Calle Mayor",         "12",  "3",  "28013", "Madrid",
                      "Comunidad de Madrid", "Sol", "ES", 40.4168, -3.7038};
  property.cleaning_fee = made.property.cleaning_fee;
  property.monthly_bills = made.property.monthly_bills;
  property.parking = made.property.parking;
  property.size_square_metres = 96;
  property.features = {"elevator", "wifi", "washing-machine", "heating", "balcony"};
  property.rules = {"no-smoking", "no-parties"};
  const std::string text =
      "A bright third floor between two squares: three rooms, one long kitchen table and a "
      "balcony full of geraniums.";
  property.description = {{"en", text}, {"es", text}};
  made.shown = {.size_square_metres = 12,
                .floor = "3B",
                .min_age = 18,
                .max_age = 40,
                .registration_number = "VT-12345",
                .features = {"desk", "double-bed", "street-view"},
                .title = {{"en", "Room with a balcony"}, {"es", "Habitación con balcón"}},
                .description = {{"en", text}, {"es", text}},
                .images = {}};
  for (int picture = 0; picture < 6; ++picture) {
    const auto url = "https://images.landlord-00001.example/room-" + std::to_string(picture) + ".jpg";
    (picture < 3 ? property.images : made.shown.images).push_back({url, picture % 3 == 2});
  }
  return made;
}

} // namespace

void sample_listing::write(json::writer& json) const {
  if (in_full)
    return write_full_listing(
        json, {account, *in_full, terms, shown, calendar, platform, external_id, link_url}, today);
  write_listing(json, {account, property, terms, calendar, platform, external_id},
                today + std::chrono::hours{9}, past_blocks::left_out);
}

const std::map<std::string_view, sample_listing>& sample_listings() {
  static const std::map<std::string_view, sample_listing> all{
      {"partial", room(platform_kind::channel_manager)},
      {"partial-seasonal", seasonal_room(platform_kind::channel_manager)},
      {"partial-b", room(platform_kind::marketplace_b)},
      {"full-a", room_in_full(platform_kind::marketplace_a)},
      {"full-b", room_in_full(platform_kind::marketplace_b)},
      {"full-c", room_in_full(platform_kind::marketplace_c)},
      {"full-d", room_in_full(platform_kind::marketplace_d)},
  };
  return all;
}

} // namespace roost::listings::micro
