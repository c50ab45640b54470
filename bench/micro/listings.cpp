#include "listings.hpp"

#include <benchmark/benchmark.h>
#include <chrono>

namespace roost::listings::micro {

using domain::account, domain::block, domain::calendar, domain::date, domain::days, domain::deposit_mode,
    domain::fee_mode, domain::markup_mode, domain::money, domain::platform, domain::platform_kind,
    domain::property, domain::to_string;

namespace {

const auto today = domain::date_of(std::chrono::year{2026} / 11 / 20);

/// Returns a room with a fixed rent, six future stays, fees, a tiered admin fee and a booking window: 1.5 KB.
sample_listing room(platform_kind kind) {
  sample_listing listing;
  listing.platform = {.name = std::string{to_string(kind)}, .kind = kind};
  listing.account.advance_notice_days = 2;
  listing.account.cards = {
      {listing.platform.name, "feeds@landlord-00001.example", {markup_mode::percentage, 5'00}, 90}};
  listing.property.cleaning_fee = {.enabled = true, .value = {45'50}};
  listing.property.monthly_bills = money{60'00};
  listing.property.parking = money{45'00};
  listing.terms.internal_name = "Calle Mayor 12, room 1";
  listing.terms.capacity = 2;
  listing.terms.rent.amount = {655'50};
  listing.terms.min_stay_months = 1;
  listing.terms.max_stay_months = 11;
  listing.terms.extra_price_per_tenant = {80'00};
  listing.terms.admin_fee = {
      .enabled = true, .mode = fee_mode::tiered, .tiers = {{1, {99'50}}, {90, {150'00}}, {180, {200'00}}}};
  listing.terms.deposit = {deposit_mode::rent_multiple, 1'50};
  listing.terms.booking_windows = {
      {today + days{30}, today + days{90}, today + days{180}, today + days{300}}};
  listing.terms.created_at = listing.terms.updated_at = domain::date_of(std::chrono::year{2026} / 1 / 10);
  for (int stay = 0; stay < 6; ++stay) {
    block held;
    held.nights = {today + days{10 + stay * 60}, today + days{50 + stay * 60}};
    held.created_at = held.updated_at =
        domain::date_of(std::chrono::year{2026} / 9 / 1) + std::chrono::seconds{stay};
    listing.calendar.add(held);
  }
  return listing;
}

/// Returns the same with a rent for each month.
sample_listing seasonal_room(platform_kind kind) {
  auto listing = room(kind);
  listing.terms.rent.fixed = false;
  for (unsigned month = 1; month <= 12; ++month)
    listing.terms.rent.per_month.push_back(
        {month, {600'00 + month * 12'50}, listing.terms.created_at, listing.terms.updated_at});
  return listing;
}

/// Returns the room for full feeds: with texts in two languages, images and an address.
sample_listing full_room(platform_kind kind) {
  auto listing = room(kind);
  listing.account.currency = "EUR";
  listing.link_url = "https://marketplace-a.example/rooms/8812?staticId=1000001";
  auto& property = listing.full.emplace();
  property.address = {"Calle Mayor",         "12",  "3",  "28013", "Madrid",
                      "Comunidad de Madrid", "Sol", "ES", 40.4168, -3.7038};
  property.cleaning_fee = listing.property.cleaning_fee;
  property.monthly_bills = listing.property.monthly_bills;
  property.parking = listing.property.parking;
  property.size_square_metres = 96;
  property.features = {"elevator", "wifi", "washing-machine", "heating", "balcony"};
  property.rules = {"no-smoking", "no-parties"};
  const std::string text =
      "A bright third floor between two squares: three rooms, one long kitchen table and a "
      "balcony full of geraniums.";
  property.description = {{"en", text}, {"es", text}};
  listing.presentation = {.size_square_metres = 12,
                          .floor = "3B",
                          .min_age = 18,
                          .max_age = 40,
                          .registration_number = "VT-12345",
                          .features = {"desk", "double-bed", "street-view"},
                          .title = {{"en", "Room with a balcony"}, {"es", "Habitación con balcón"}},
                          .description = {{"en", text}, {"es", text}},
                          .images = {}};
  for (int image = 0; image < 6; ++image) {
    const auto url = "https://images.landlord-00001.example/room-" + std::to_string(image) + ".jpg";
    (image < 3 ? property.images : listing.presentation.images).push_back({url, image % 3 == 2});
  }
  return listing;
}

} // namespace

void sample_listing::write(json::writer& json) const {
  if (full)
    return write_full_listing(
        json, {account, *full, terms, presentation, calendar, platform, external_id, link_url}, today);
  write_listing(json, {account, property, terms, calendar, platform, external_id},
                today + std::chrono::hours{9}, past_blocks::left_out);
}

const std::map<std::string_view, sample_listing>& sample_listings() {
  static const std::map<std::string_view, sample_listing> all{
      {"partial", room(platform_kind::channel_manager)},
      {"partial-seasonal", seasonal_room(platform_kind::channel_manager)},
      {"partial-b", room(platform_kind::marketplace_b)},
      {"full-a", full_room(platform_kind::marketplace_a)},
      {"full-b", full_room(platform_kind::marketplace_b)},
      {"full-c", full_room(platform_kind::marketplace_c)},
      {"full-d", full_room(platform_kind::marketplace_d)},
  };
  return all;
}

namespace {

/// Benchmark of rendering one listing.
void render(benchmark::State& state, const sample_listing& listing) {
  json::writer json;
  for (auto _ : state) {
    json.clear();
    listing.write(json);
    benchmark::DoNotOptimize(json.text().data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * json.text().size()));
}

[[maybe_unused]] const bool all_kinds_are_registered = [] {
  for (const auto& [kind, listing] : sample_listings())
    benchmark::RegisterBenchmark(("render/" + std::string(kind)).c_str(),
                                 [&each = listing](benchmark::State& state) { render(state, each); });
  return true;
}();

} // namespace

} // namespace roost::listings::micro
