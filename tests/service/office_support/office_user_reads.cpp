#include "service/office_support/office_user.hpp"
#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

/// What a client of the office compares with responses and listings.
namespace roost::testing {

bool office_user::is_doubtful(const std::optional<raw_response>& response) {
  return !response || response->status == 503;
}

bool office_user::is_at(const std::string& block, const domain::nights& nights) {
  return json_text_at(block, "/from") == domain::to_string(nights.first) &&
         json_text_at(block, "/to") == domain::to_string(nights.last);
}

bool office_user::check_reads(const http_exchange& exchange, depth how) {
  problem_list problems;
  bool is_complete = true;
  for (unsigned unit = 1; unit <= settings_.units && is_complete; ++unit)
    is_complete = check_unit(exchange, unit, how, problems);
  const std::lock_guard lock(mutex_);
  std::ranges::move(problems, std::back_inserter(problems_));
  return is_complete;
}

/// Returns the items of all pages; nullopt if a response is missing.
std::optional<office_user::item_map> office_user::read_items(const http_exchange& exchange,
                                                             const std::string& path,
                                                             problem_list& problems) const {
  item_map items;
  for (std::string after;;) {
    const auto page = exchange(office_call("GET", path + "limit=200" + after));
    if (is_doubtful(page)) return std::nullopt;
    if (page->status != 200) {
      problems.push_back("could not read " + path + ": " + page->body);
      return std::nullopt;
    }
    for (auto& [id, item] : items_in(page->body)) items.emplace(id, std::move(item));
    const auto next = json_text_at(page->body, "/next");
    if (next == "null") return items;
    after = "&after=" + next;
  }
}

/// Reads the bookings that are known to be in the unit, each on its own; nullopt if a response is missing.
std::optional<office_user::item_map> office_user::read_known_bookings(const http_exchange& exchange,
                                                                      unsigned unit) const {
  item_map items;
  for (const auto& each : bookings_) {
    if (!each->targets.empty() || each->place.unit != unit) continue;
    const auto response = exchange(office_call("GET", path_of_booking(each->id)));
    if (is_doubtful(response)) return std::nullopt;
    if (response->status == 200) items.emplace(each->id, response->body);
  }
  return items;
}

bool office_user::check_unit(const http_exchange& exchange, unsigned unit, depth how,
                             problem_list& problems) const {
  const auto blocks = read_items(exchange, path_of_blocks(unit) + '?', problems);
  if (!blocks) return false;
  const auto bookings =
      how == depth::lists
          ? read_items(exchange, std::string(office_bookings_path) + "?unit=" + unit_id(unit) + '&', problems)
          : read_known_bookings(exchange, unit);
  if (!bookings) return false;
  const auto listing = exchange({"GET",
                                 "/channel-manager/listings/u" + std::to_string(unit),
                                 "",
                                 {{"Authorization", "Bearer " + settings_.listing_token}}});
  if (!listing || listing->status != 200) return false;
  check_blocks(unit, *blocks, listing->body, problems);
  check_bookings(unit, *bookings, listing->body, problems);
  return true;
}

void office_user::check_blocks(unsigned unit, const item_map& listed, const std::string& listing,
                               problem_list& problems) const {
  for (const auto& each : blocks_) {
    if (each->unit != unit || !each->is_certain) continue;
    const auto item = listed.find(each->id);
    if ((item == listed.end()) != each->is_deleted)
      problems.push_back("the list of blocks " + std::string(each->is_deleted ? "still has " : "lacks ") +
                         each->id);
    if (each->is_deleted || item == listed.end()) continue;
    const auto nights = json_of(each->nights);
    if (!is_at(item->second, each->nights))
      problems.push_back("the block " + each->id + " is not at " + nights + ": " + item->second);
    if (listing.find(nights) == std::string::npos)
      problems.push_back("a listing does not show the block " + each->id + " at " + nights);
  }
}

void office_user::check_bookings(unsigned unit, const item_map& listed, const std::string& listing,
                                 problem_list& problems) const {
  for (const auto& each : bookings_) {
    if (!each->targets.empty()) continue;
    const auto item = listed.find(each->id);
    if ((item != listed.end()) != (each->place.unit == unit)) {
      problems.push_back("unit " + std::to_string(unit) +
                         (item != listed.end() ? " has the booking " : " lacks the booking ") + each->id);
      continue;
    }
    if (item == listed.end()) continue;
    if (place_in(item->second, "", settings_.units) != each->place)
      problems.push_back("the booking " + each->id + " is not in " + to_string(each->place) + ": " +
                         item->second);
    if (each->may_be_cancelled) continue;
    if ((json_text_at(item->second, "/status") == "cancelled") != each->is_cancelled)
      problems.push_back("the booking " + each->id + (each->is_cancelled ? " was" : " was not") +
                         " cancelled: " + item->second);
    if (!each->is_cancelled && listing.find(json_of(each->place.nights())) == std::string::npos)
      problems.push_back("a listing does not show the booking " + each->id + " of " + to_string(each->place));
  }
}

} // namespace roost::testing
