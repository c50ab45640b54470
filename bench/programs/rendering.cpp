#include "domain/full_listing.hpp"
#include "domain/listing.hpp"

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <string_view>

/// Writes listings of one kind over and over, and tells how long one takes.
///
/// usage: bench_rendering KIND          prints one listing
///        bench_rendering KIND SECONDS  prints the nanoseconds that one takes
namespace roost::domain {
namespace {

const date today = std::chrono::year{2026} / 11 / 20;

/// What one listing is made from.
struct subject {
  domain::account account;
  property_terms property;
  unit terms;
  domain::calendar calendar;
  domain::platform platform;
  std::string external_id = "1000001";
  std::optional<domain::property> in_full; ///< none: the partial form
  unit_presentation shown;
  std::optional<std::string> link_url;

  void write(json_writer& json) const {
    if (in_full)
      return write_full_listing(
          json, {account, *in_full, terms, shown, calendar, platform, external_id, link_url}, today);
    write_listing(json, {account, property, terms, calendar, platform, external_id},
                  today + std::chrono::hours{9}, past_blocks::left_out);
  }
};

/// A room at a fixed rent with six stays ahead, fees, a tiered admin fee and one booking window: 1.5 KB.
subject room(platform_kind kind) {
  subject made;
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
subject seasonal_room(platform_kind kind) {
  auto made = room(kind);
  made.terms.rent.fixed = false;
  for (unsigned month = 1; month <= 12; ++month)
    made.terms.rent.per_month.push_back(
        {month, {600'00 + month * 12'50}, made.terms.created_at, made.terms.updated_at});
  return made;
}

/// The room as full feeds show it: with texts in two languages, pictures and an address.
subject room_in_full(platform_kind kind) {
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

const std::map<std::string_view, subject>& kinds() {
  static const std::map<std::string_view, subject> all{
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

double nanoseconds_each(const subject& what, double seconds) {
  using clock = std::chrono::steady_clock;
  constexpr int a_look_at_the_clock = 1'000;
  json_writer json;
  std::size_t bytes = 0;
  std::int64_t written = 0;
  const auto start = clock::now();
  std::chrono::duration<double, std::nano> taken{};
  do {
    for (int i = 0; i < a_look_at_the_clock; ++i, ++written) {
      json.clear();
      what.write(json);
      bytes += json.text().size();
    }
    taken = clock::now() - start;
  } while (taken < std::chrono::duration<double>(seconds));
  if (bytes == 0) std::abort(); // the text is used
  return taken.count() / static_cast<double>(written);
}

int run(int count, char** arguments) {
  const auto what = count > 1 ? kinds().find(arguments[1]) : kinds().end();
  if (what == kinds().end()) {
    std::cerr << "usage: bench_rendering KIND [SECONDS]; the kinds are:";
    for (const auto& [name, each] : kinds()) std::cerr << ' ' << name;
    std::cerr << '\n';
    return 2;
  }
  if (count > 2) {
    std::cout << nanoseconds_each(what->second, std::strtod(arguments[2], nullptr)) << '\n';
  } else {
    json_writer json;
    what->second.write(json);
    std::cout << json.text() << '\n';
  }
  return 0;
}

} // namespace
} // namespace roost::domain

int main(int count, char** arguments) { return roost::domain::run(count, arguments); }
