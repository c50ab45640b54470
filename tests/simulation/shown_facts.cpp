#include "simulation/shown_facts.hpp"

#include "domain/date.hpp"
#include "service/support/json_text.hpp"

#include <algorithm>
#include <string_view>

namespace roost::testing {

namespace {

using event_type = client_event::type;

constexpr auto success_body = R"({"ok":true})";
constexpr int first_rent = 650;

bool concerns_booking(const client_event& event) {
  return event.kind == event_type::submission || event.kind == event_type::paid ||
         event.kind == event_type::cancel;
}

} // namespace

std::size_t shown_facts::on_request(const client_event& event) {
  requests_.push_back({event, next_sequence(), 0});
  if (concerns_booking(event)) {
    auto& known = stays_[event.unit][{event.check_in, event.check_out}];
    if (known.reference.empty()) known.reference = event.reference;
    if (known.reference != event.reference) known.is_unique = false;
    if (event.kind == event_type::cancel && known.cancel_sent == 0) known.cancel_sent = last_;
  }
  if (event.kind == event_type::edit) edits_[event.unit].push_back(requests_.size() - 1);
  return requests_.size() - 1;
}

void shown_facts::on_response(std::size_t number, const raw_response& response, const std::string& server) {
  auto& request = requests_[number];
  const auto& event = request.event;
  if (response.status / 100 != 2) return;
  request.acknowledged = next_sequence();
  if (!concerns_booking(event)) return;
  auto& known = stays_[event.unit][{event.check_in, event.check_out}];
  if (event.kind == event_type::cancel && response.body == success_body && known.cancelled == 0)
    known.cancelled = last_;
  if (event.kind == event_type::paid && response.body != success_body && known.confirmed == 0) {
    known.confirmed = last_;
    known.confirmed_by = server;
  }
}

void shown_facts::forget_since(sequence time) {
  const auto forget = [time](sequence& fact) {
    if (fact > time) fact = 0;
  };
  office_stays_.clear();
  for (auto& each : requests_) forget(each.acknowledged);
  for (auto& [unit, stays] : stays_)
    for (auto& [nights, stay] : stays) {
      forget(stay.confirmed);
      forget(stay.cancelled);
    }
}

void shown_facts::exclude(const std::string& reference) {
  for (auto& [unit, stays] : stays_)
    for (auto& [nights, stay] : stays)
      if (stay.reference == reference) stay.is_unique = false;
}

bool shown_facts::is_settled_since(unsigned unit, sequence time) const {
  const auto edits = edits_.find(unit);
  return edits == edits_.end() || std::ranges::all_of(edits->second, [&](std::size_t number) {
           const auto& edit = requests_[number];
           return edit.acknowledged != 0 && edit.acknowledged < time;
         });
}

std::optional<std::string> shown_facts::contradiction(unsigned unit, view shown, sequence sent,
                                                      const raw_response& response,
                                                      const std::string& server) const {
  if (response.status == 503) return std::nullopt; // the server does not serve
  const auto name = "unit " + std::to_string(unit);
  if (response.status != 200)
    return "a read of " + name + " got the status " + std::to_string(response.status);
  const auto rows = rows_in(response.body, shown);
  if (const auto wrong = contradicting_stay(unit, shown, sent, rows, server)) return name + *wrong;
  if (const auto wrong = office_stays_.contradiction(unit, shown, sent, rows)) return name + *wrong;
  if (shown == view::calendar) return std::nullopt;
  const auto rent = json_at(response.body, "/rent");
  if (const auto wrong = contradicting_rent(unit, sent, std::stoi(rent))) return name + *wrong;
  return std::nullopt;
}

/// A server shows the nights of its own decisions once its calendar knows of the commit, which may be later
/// than it finds the booking in the store. Other servers have read the commit before they serve.
std::optional<std::string> shown_facts::contradicting_stay(unsigned unit, view shown, sequence sent,
                                                           const std::vector<std::string_view>& rows,
                                                           const std::string& server) const {
  const auto stays = stays_.find(unit);
  if (stays == stays_.end()) return std::nullopt;
  for (const auto& [nights, stay] : stays->second) {
    const auto row = row_of(nights.first, nights.second, shown);
    const auto [first, last] = std::equal_range(rows.begin(), rows.end(), row);
    const bool is_shown = first != last;
    if (last - first > 1) return " shows the nights of " + stay.reference + " twice";
    if (!stay.is_unique) continue;
    if (is_shown && stay.cancelled != 0 && stay.cancelled < sent)
      return " still shows the nights of " + stay.reference + ", whose cancellation was acknowledged";
    if (!is_shown && stay.confirmed != 0 && stay.confirmed < sent && stay.cancel_sent == 0 &&
        stay.confirmed_by != server)
      return " does not show the nights of " + stay.reference + ", which another server has confirmed";
  }
  return std::nullopt;
}

/// An update that was sent after the acknowledgement of an earlier one, and acknowledged before the read was
/// sent, replaces it. An update without an acknowledgement may take effect at any later time.
std::optional<std::string> shown_facts::contradicting_rent(unsigned unit, sequence sent, int shown) const {
  const auto edits = edits_.find(unit);
  if (edits == edits_.end()) return std::nullopt;
  sequence newest = 0; // when the newest update that the read must show was sent
  for (const auto number : edits->second)
    if (const auto& edit = requests_[number]; edit.acknowledged != 0 && edit.acknowledged < sent)
      newest = std::max(newest, edit.sent);
  if (shown == first_rent && newest == 0) return std::nullopt;
  const auto may_be_shown = [&](std::size_t number) {
    const auto& edit = requests_[number];
    return edit.event.rent == shown && (edit.acknowledged == 0 || edit.acknowledged > newest);
  };
  if (std::ranges::any_of(edits->second, may_be_shown)) return std::nullopt;
  return " shows the rent " + std::to_string(shown) + " although a later update was acknowledged";
}

} // namespace roost::testing
