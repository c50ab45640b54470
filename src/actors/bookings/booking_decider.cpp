#include "actors/bookings/booking_decider.hpp"

#include "domain/mapping.hpp"
#include "domain/platform.hpp"
#include "mail/notices.hpp"

#include <utility>

namespace roost::actors {

namespace {

/// Returns the IDs under which the requested unit may have been linked, the better match first.
std::vector<std::string> candidate_ids(const domain::platform& on, const domain::booking_request& request) {
  std::vector<std::string> ids{request.external_id};
  if (!domain::traits_of(on).matches_by_property) return ids;
  if (const auto property = domain::property_part(request.external_id)) ids.emplace_back(*property);
  return ids;
}

/// Returns the last landlord of the first ID that has had one recently.
std::optional<domain::uuid> former_landlord(const std::vector<store::former_link>& links,
                                            const std::string& platform,
                                            const std::vector<std::string>& ids) {
  for (const auto& id : ids) {
    const auto last = std::find_if(links.rbegin(), links.rend(), [&](const store::former_link& link) {
      return link.is_recent && link.platform == platform && link.external_id == id;
    });
    if (last != links.rend()) return last->account_id;
  }
  return std::nullopt;
}

/// Returns whether a unit was linked under the request's exact ID when the request arrived, and is not any
/// more.
bool has_lost_its_link(const std::vector<store::former_link>& links, const store::pending_request& pending) {
  return std::ranges::any_of(links, [&](const store::former_link& link) {
    return link.platform == pending.request.platform && link.external_id == pending.request.external_id &&
           link.last_request >= pending.seq;
  });
}

void find_units(request_candidates& candidates, const directory& in, const platform_list& platforms) {
  const auto& request = candidates.pending->request;
  const auto platform = index_of(platforms, request.platform);
  if (!platform) return;
  if (request.unit_id) {
    if (const auto* unit = in.find_unit(*request.unit_id)) candidates.units.push_back(unit);
  } else {
    candidates.units = in.find_all_on(*platform, request.external_id);
  }
  if (request.unit_id || !domain::traits_of((*platforms)[*platform]).matches_by_property) {
    candidates.former_units = candidates.units;
    return;
  }
  candidates.former_units = in.find_all_ever(*platform, request.external_id);
  candidates.is_property_match = !candidates.units.empty() &&
                                 candidates.units.front()->setup->linked_id(*platform) != request.external_id;
}

} // namespace

bool is_decidable(const directory& in, const platform_list& platforms, const std::string& platform) {
  const auto index = index_of(platforms, platform);
  if (!index) return false;
  const auto& settings = (*platforms)[*index];
  if (!domain::traits_of(settings).is_single_landlord) return true;
  return settings.account && in.find_account(*settings.account);
}

bool refers_to(const request_candidates& candidates, const account_set& accounts) {
  if (accounts.empty()) return false;
  const auto is_among = [&](const directory_unit* unit) { return accounts.contains(unit->owner->id); };
  return std::ranges::any_of(candidates.units, is_among) ||
         std::ranges::any_of(candidates.former_units, is_among);
}

std::vector<request_candidates> find_candidates(store::session& db, const directory& in,
                                                const platform_list& platforms,
                                                std::vector<store::pending_request> requests) {
  std::vector<request_candidates> candidates;
  candidates.reserve(requests.size());
  struct former_id {
    std::size_t request;
    std::shared_ptr<store::pending_request> pending;
    std::vector<std::string> ids;
  };
  std::vector<former_id> all;
  std::vector<std::string> ids;
  for (auto& each : requests) {
    const auto pending = std::make_shared<store::pending_request>(std::move(each));
    candidates.push_back({pending, {}, {}, false});
    find_units(candidates.back(), in, platforms);
    if (!candidates.back().units.empty() && !candidates.back().is_property_match) continue;
    const auto platform = index_of(platforms, pending->request.platform);
    if (!platform) continue;
    all.push_back({candidates.size() - 1, pending, candidate_ids((*platforms)[*platform], pending->request)});
    ids.insert(ids.end(), all.back().ids.begin(), all.back().ids.end());
  }
  const auto links = store::former_links(db, ids);
  for (const auto& each : all) {
    auto& candidate = candidates[each.request];
    if (candidate.is_property_match && has_lost_its_link(links, *each.pending)) {
      candidate.units.clear();
      candidate.is_property_match = false;
    }
    if (candidate.units.empty())
      each.pending->former_account = former_landlord(links, each.pending->request.platform, each.ids);
  }
  return candidates;
}

account_list booking_decider::owners_of(const directory::candidates& units) {
  account_list owners;
  for (const auto* unit : units)
    if (std::ranges::find(owners, unit->owner->id) == owners.end()) owners.push_back(unit->owner->id);
  return owners;
}

const directory_account* booking_decider::landlord_without_unit(const directory& in,
                                                                const store::pending_request& pending) const {
  const auto platform = index_of(setup_.platforms, pending.request.platform);
  if (!platform) return nullptr;
  const auto& account = (*setup_.platforms)[*platform].account;
  if (account) return in.find_account(*account);
  return pending.former_account ? in.find_account(*pending.former_account) : nullptr;
}

bool booking_decider::is_duplicate(const request_candidates& candidates,
                                   const reference_check& known_elsewhere) const {
  const auto& pending = *candidates.pending;
  if (pending.is_withdrawn) return true;
  if (candidates.former_units.empty()) return !pending.imported_in.empty();
  return std::ranges::any_of(candidates.former_units, [&](const directory_unit* unit) {
    const auto& account = unit->owner->id;
    if (std::ranges::find(pending.imported_in, account) != pending.imported_in.end()) return true;
    const auto key = reference_key(pending.request, account);
    return key && known_elsewhere(*key);
  });
}

std::optional<std::string> booking_decider::reference_key(const domain::booking_request& request,
                                                          const domain::uuid& account_id) {
  if (!request.reference) return std::nullopt;
  return request.platform + '\n' + domain::to_string(account_id) + '\n' + *request.reference;
}

reserve booking_decider::to_reserve(const store::pending_request& pending) const {
  const auto& request = pending.request;
  return {.platform = *index_of(setup_.platforms, request.platform),
          .booking_id = setup_.new_id(),
          .check_in = request.check_in,
          .check_out = request.check_out,
          .occupants = request.occupants,
          .provider_payment = request.provider_payment,
          .now = setup_.now(),
          .claimed_hold = pending.claimed_hold};
}

pending_decision booking_decider::begin(const resolved_request& request, domain::request_state state) {
  pending_decision decided;
  decided.decision.request_id = request.pending->request.id;
  decided.decision.state = state;
  decided.decision.ends_hold = request.pending->claimed_hold.has_value();
  const auto& pending = request.pending->request;
  if (pending.reference && state != domain::request_state::dropped)
    decided.decision.reported_to = pending.platform;
  decided.request = request.pending;
  decided.accounts = request.accounts;
  decided.is_property_match = request.is_property_match;
  return decided;
}

/// The request is that of the landlord whose booking it repeats.
pending_decision booking_decider::dropped(const resolved_request& request) {
  auto decided = begin(request, domain::request_state::dropped);
  const auto& known_in = request.pending->imported_in;
  const auto& owners = request.accounts;
  const auto owner = std::ranges::find_first_of(owners, known_in);
  if (owner != owners.end())
    decided.decision.account_id = *owner;
  else if (!owners.empty())
    decided.decision.account_id = owners.front();
  else if (!known_in.empty())
    decided.decision.account_id = known_in.front();
  return decided;
}

pending_decision booking_decider::refused(const resolved_request& request, const directory_account* landlord,
                                          domain::refusal reason, const unit_label& label,
                                          std::optional<domain::uuid> unit_id,
                                          std::vector<domain::nights> taken) const {
  auto decided = begin(request, domain::request_state::failed);
  decided.decision.reason = reason;
  decided.decision.taken = std::move(taken);
  decided.decision.unit_id = unit_id;
  if (!landlord) return decided;
  decided.decision.account_id = landlord->id;
  if (decided.accounts.empty()) decided.accounts.push_back(landlord->id);
  const auto now = setup_.now();
  const mail::stay_facts stay{label.name, label.city, unit_id ? unit_id : request.pending->request.unit_id,
                              request.pending->request};
  decided.decision.notifications.push_back(
      mail::refused_notice(setup_.new_id(), now, landlord->id, stay, reason));
  const auto& contacts = *landlord->contacts;
  const auto write = setup_.gathers_refusals ? mail::gathered_refusal : mail::refused_mail;
  for (const auto& recipient : contacts.mail_to)
    decided.decision.mails.push_back(
        write(setup_.new_id(), now, recipient, contacts.company_name, stay, reason));
  return decided;
}

std::optional<pending_decision> booking_decider::replacement_for(const pending_decision& decided,
                                                                 const directory& based_on,
                                                                 storage_error error) const {
  const resolved_request request{decided.request, decided.accounts, decided.is_property_match};
  if (error == storage_error::duplicate_reference) return dropped(request);
  const auto& booking = decided.decision.booking;
  if (error != storage_error::overlapping_stay || !booking) return std::nullopt;
  log::error("calendar_out_of_step", {{"unit", domain::to_string(booking->unit_id)}});
  const auto* unit = based_on.find_unit(booking->unit_id);
  const auto* landlord = unit ? unit->owner : landlord_without_unit(based_on, *decided.request);
  return refused(request, landlord, domain::refusal::overlapping_nights, decided.unit, booking->unit_id);
}

pending_decision booking_decider::booked(const resolved_request& from, const directory_unit& unit,
                                         const reserve& reservation, const reserve_response& reserved,
                                         const tenant_response& tenant,
                                         std::optional<std::string> key) const {
  const auto& request = from.pending->request;
  auto decided = begin(from, domain::request_state::success);
  decided.calendar = unit.calendar;
  if (from.pending->claimed_hold) decided.hold_calendar = unit.calendar;
  decided.changes = unit.changes;
  decided.account_actor = unit.owner->actor;
  decided.reference_key = std::move(key);
  decided.unit = reserved.unit;
  auto& decision = decided.decision;
  decision.account_id = unit.owner->id;
  decision.new_tenant = tenant.new_tenant;
  decision.tenant_category = tenant.category;
  decision.booking = domain::booking{.id = reservation.booking_id,
                                     .request_id = request.id,
                                     .account_id = unit.owner->id,
                                     .unit_id = unit.id(),
                                     .tenant_id = tenant.tenant_id,
                                     .platform = request.platform,
                                     .reference = request.reference,
                                     .check_in = request.check_in,
                                     .check_out = request.check_out,
                                     .last_night = reserved.held.nights.last,
                                     .occupants = request.occupants,
                                     .status = domain::booking_status::confirmed,
                                     .provider_payment = reserved.provider_payment,
                                     .ota_commission = request.ota_commission,
                                     .terms = reserved.terms,
                                     .created_at = reservation.now};
  decision.notifications.push_back(
      mail::created_notice(setup_.new_id(), reservation.now, unit.owner->id, reservation.booking_id,
                           {reserved.unit.name, reserved.unit.city, unit.id(), request}, reserved.warnings));
  return decided;
}

} // namespace roost::actors
