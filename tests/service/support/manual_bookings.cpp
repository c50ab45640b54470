#include "service/support/manual_bookings.hpp"

#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace roost::testing {

std::string to_string(const stay_placement& placement) {
  return "unit " + std::to_string(placement.unit) + " from " + domain::to_string(placement.check_in) +
         " to " + domain::to_string(placement.check_out);
}

std::string json_of(const stay_placement& place) {
  return R"("unitId":")" + unit_id(place.unit) + R"(","checkInDate":")" + domain::to_string(place.check_in) +
         R"(","checkOutDate":")" + domain::to_string(place.check_out) + '"';
}

std::string json_text_at(const std::string& document, const std::string& pointer) {
  auto text = json_at(document, pointer);
  return text.size() > 1 && text.front() == '"' ? text.substr(1, text.size() - 2) : text;
}

std::optional<stay_placement> place_in(const std::string& document, const std::string& at, unsigned units) {
  stay_placement place;
  const auto unit = json_text_at(document, at + "/unitId");
  do ++place.unit;
  while (place.unit <= units && unit_id(place.unit) != unit);
  if (place.unit > units) return std::nullopt;
  place.check_in = domain::parse_date(json_text_at(document, at + "/checkInDate")).value();
  place.check_out = domain::parse_date(json_text_at(document, at + "/checkOutDate")).value();
  return place;
}

std::vector<std::pair<std::string, std::string>> items_in(const std::string& page) {
  rapidjson::Document tree;
  if (tree.Parse(page.data(), page.size()).HasParseError()) throw std::runtime_error("not JSON: " + page);
  std::vector<std::pair<std::string, std::string>> items;
  for (const auto& each : tree["items"].GetArray()) items.emplace_back(each["id"].GetString(), to_json(each));
  return items;
}

std::string creation_of(const std::string& id, const stay_placement& place, const std::string& address) {
  return R"({"id":")" + id + R"(",)" + json_of(place) +
         R"(,"platform":null,"occupants":1,"tenant":{"firstName":"Ida","email":")" + address + R"("}})";
}

booking_records read_bookings(store::session& db) {
  constexpr std::size_t every_row = 1'000'000;
  booking_records stored;
  for (auto& each : store::list_bookings(db, {}, every_row)) {
    auto id = domain::to_string(each.booking.id);
    stored.emplace(std::move(id), std::move(each));
  }
  return stored;
}

std::optional<std::string> difference_of(const manual_booking& known, const booking_records& stored) {
  const auto name = "the booking " + known.id;
  const auto found = stored.find(known.id);
  if (found == stored.end()) return name + " is lost";
  const auto& booking = found->second.booking;
  const auto is_at = [&](const stay_placement& place) {
    return unit_id(place.unit) == domain::to_string(booking.unit_id) && place.check_in == booking.check_in &&
           place.check_out == booking.check_out;
  };
  if (!is_at(known.place) && std::ranges::none_of(known.targets, is_at))
    return name + " is in another place than " + to_string(known.place);
  const bool is_cancelled = booking.status == domain::booking_status::cancelled;
  if (is_cancelled != known.is_cancelled && !known.may_be_cancelled)
    return name + (is_cancelled ? " is cancelled" : " is not cancelled");
  return std::nullopt;
}

} // namespace roost::testing
