#include "actors/office/booking_notices.hpp"
#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "cli/output.hpp"
#include "config/text.hpp"
#include "http/bookings/booking_bodies.hpp"
#include "http/bookings/booking_changes.hpp"
#include "http/protocol/error.hpp"
#include "json/writer.hpp"
#include "security/random.hpp"
#include "store/audit/audit.hpp"
#include "store/bookings/bookings.hpp"
#include "store/bookings/requests.hpp"
#include "store/engine/linked_units.hpp"
#include "store/office/bookings.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace roost::cli {

namespace {

using domain::one_line; // names, IDs and references are untrusted

std::string unit_of(const store::booking_record& record) {
  auto unit = one_line(record.unit_name);
  if (const auto city = one_line(record.city); !city.empty()) unit += ", " + city;
  return unit;
}

std::string name_of(const domain::tenant& tenant) {
  return one_line(tenant.details.first_name + " " + tenant.details.last_name.value_or(""));
}

std::string origin_of(const domain::booking& booking) {
  return booking.platform.value_or("-") + (booking.reference ? " " + one_line(*booking.reference) : "");
}

std::vector<list_cell> booking_row(const store::booking_record& record) {
  const auto& booking = record.booking;
  return {cell(booking.id),
          padded_cell(std::string{to_string(booking.status)}, 11),
          cell_as(booking.check_in,
                  domain::to_string(booking.check_in) + " to " + domain::to_string(booking.check_out)),
          data_cell(booking.check_out),
          data_cell(booking.account_id),
          data_cell(booking.unit_id),
          cell_as(record.unit_name, unit_of(record)),
          cell(name_of(record.tenant)),
          cell_as(booking.platform, origin_of(booking)),
          data_cell(booking.reference),
          data_cell(booking.created_at)};
}

void print_stay(const store::booking_record& record, const std::optional<std::string>& canceller) {
  const auto& booking = record.booking;
  const auto& terms = *booking.terms;
  print_field("Booking", domain::to_string(booking.id));
  auto status = std::string{to_string(booking.status)};
  if (record.cancelled_at)
    status += " by the " + std::string{to_string(*record.cancelled_by)} + " at " +
              domain::to_string(*record.cancelled_at);
  if (canceller) status += ", " + *canceller;
  print_field("Status", status);
  print_field("Unit", unit_of(record) + "  " + domain::to_string(booking.unit_id));
  print_field("Landlord", one_line(record.company_name));
  print_field("Check-in", domain::to_string(booking.check_in) + " " + terms.check_in_time);
  print_field("Check-out", domain::to_string(booking.check_out) + " " + terms.check_out_time);
  print_field("Blocked until", domain::to_string(booking.last_night));
  print_field("Occupants", std::to_string(booking.occupants));
  print_field("Platform", origin_of(booking));
  print_field("Created", domain::to_string(booking.created_at));
}

void print_tenant(const domain::tenant& tenant) {
  const auto& details = tenant.details;
  print_field("Tenant", name_of(tenant));
  print_field("Email", one_line(details.email));
  print_field("Phone", one_line(details.phone.value_or("")));
  print_field("Fiscal ID", one_line(details.fiscal_id.value_or("")));
  print_field("Nationality", one_line(details.nationality.value_or("")));
  print_field("Category", one_line(tenant.category.value_or("")));
}

void print_terms(const store::booking_record& record) {
  const auto& terms = *record.booking.terms;
  print_field("Contract", one_line(terms.contract_type));
  if (terms.bills.included)
    print_field("Bills",
                terms.bills.max_value
                    ? "included up to " + amount_of(*terms.bills.max_value, record.currency) + " a month"
                    : std::string{"included"});
  else
    print_field("Bills", "not included");
  print_field("Cleaning", one_line(terms.cleaning_frequency));
  if (record.booking.ota_commission)
    print_field("Commission", amount_of(*record.booking.ota_commission, record.currency));
}

std::string label_of(domain::payment_kind kind) {
  static constexpr std::array<const char*, 6> labels{"Rent",         "Deposit",  "Admin fee",
                                                     "Cleaning fee", "Exit fee", "Provider platform payment"};
  return labels[static_cast<std::size_t>(kind)];
}

void print_plan(const store::booking_record& record) {
  std::puts("\nDue         Amount           From      To        Purpose");
  for (const auto& line : record.booking.terms->plan) {
    auto purpose = label_of(line.kind);
    if (line.period)
      purpose += ", nights of " + domain::to_string(line.period->first) + " to " +
                 domain::to_string(line.period->last);
    std::printf("%s  %15s  %-8s  %-8s  %s\n", domain::to_string(line.due).c_str(),
                amount_of(line.amount, record.currency).c_str(), std::string(to_string(line.payer)).c_str(),
                std::string(to_string(line.payee)).c_str(), purpose.c_str());
  }
  std::printf("The tenant owes %s in total.\n",
              amount_of(domain::total_owed(record.booking.terms->plan), record.currency).c_str());
}

/// Throws std::runtime_error if the unit belongs to another account than the filter's.
void require_unit_in_account(store::session& db, const store::booking_filter& filter) {
  if (!filter.account || !filter.unit || require_unit(db, *filter.unit).account_id == *filter.account) return;
  throw std::runtime_error("the unit " + domain::to_string(*filter.unit) + " is not in the account " +
                           domain::to_string(*filter.account));
}

/// Throws std::runtime_error if no booking with this reference matches the platform, the unit and the account
/// of the filter.
void require_reference(store::session& db, const store::booking_filter& filter) {
  const auto& reference = *filter.reference;
  const auto exists = [&](store::booking_filter candidate) {
    candidate.reference = reference;
    return !store::list_bookings(db, candidate, 1).empty();
  };
  if (!exists({})) throw std::runtime_error("there is no booking with the reference " + reference);
  const auto refuse = [&](const std::string& owner) {
    throw std::runtime_error("the booking with the reference " + reference + " does not belong to " + owner);
  };
  if (filter.platform && !exists({.platform = filter.platform})) refuse("the platform " + *filter.platform);
  if (filter.unit && !exists({.unit = filter.unit})) refuse("the unit " + domain::to_string(*filter.unit));
  if (filter.account && !exists({.account = filter.account}))
    refuse("the account " + domain::to_string(*filter.account));
  if (!exists({.account = filter.account, .unit = filter.unit, .platform = filter.platform}))
    refuse("the given platform, unit and account together");
}

/// Throws if the platform or the reference is unknown. Bookings of a platform that is no longer configured
/// are still listed.
void check_filter(store::session& db, const config::settings& settings, const store::booking_filter& filter) {
  if (filter.platform && store::list_bookings(db, {.platform = filter.platform}, 1).empty())
    require_platform(settings, *filter.platform);
  if (filter.reference) require_reference(db, filter);
}

store::booking_record require_booking(store::session& db, const std::string& id) {
  auto record = store::find_booking(db, parse_id(id));
  if (!record) throw std::runtime_error("there is no booking with the id " + id);
  return std::move(*record);
}

/// Parses a time, or an age.
std::optional<domain::timestamp> time_if_given(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (const auto age = config::parse_duration(text))
    return current_time() - std::chrono::floor<domain::timestamp::duration>(*age);
  if (const auto time = domain::parse_iso_moment(text)) return time;
  throw usage_error("--since: '" + text +
                    "' is neither a duration (24h, 7d) nor a date or time (2026-11-20)");
}

/// Returns the age in its two largest units: `3d 4h`, `12m 5s`.
std::string age_of(const domain::booking_request& request) {
  auto left = std::max<std::int64_t>(
      std::chrono::floor<std::chrono::seconds>(current_time() - request.received_at).count(), 0);
  struct unit {
    char name;
    std::int64_t seconds;
  };
  std::string text;
  int parts = 0;
  for (const auto& [name, seconds] : {unit{'d', 86'400}, unit{'h', 3'600}, unit{'m', 60}, unit{'s', 1}}) {
    if (text.empty() && left < seconds && seconds > 1) continue;
    if (++parts > 2) break;
    text += (text.empty() ? "" : " ") + std::to_string(left / seconds) + name;
    left %= seconds;
  }
  return text;
}

std::string explanation_of(const std::string& reason) {
  if (reason == "unit_not_linked") return "no unit is linked to this ID, or it is excluded or archived";
  if (reason == "overlapping_nights") return "at least one of the nights is taken";
  if (reason == "held_nights") return "at least one of the nights is held for a guest who is about to book";
  if (reason == "provider_payment_missing") return "no payment above 0";
  if (reason == "check_out_not_after_check_in") return "check-out is not after check-in";
  if (reason == "platform_not_configured") return "the platform is not configured";
  if (reason == "withdrawn") return "the platform cancelled it before the decision";
  return reason;
}

std::vector<list_cell> request_row(const store::request_record& record) {
  const auto& request = record.request;
  auto state = std::string(to_string(record.state)), age = age_of(request);
  return {
      cell(request.id),
      cell_as(domain::lower_case(state), (state + "   ").substr(0, std::max(state.size(), std::size_t{7}))),
      cell_as(request.received_at, std::string(7 - std::min(age.size(), std::size_t{7}), ' ') + age),
      cell(request.platform),
      cell(request.external_id),
      cell_as(request.check_in,
              domain::to_string(request.check_in) + " to " + domain::to_string(request.check_out)),
      data_cell(request.check_out),
      cell_as(request.reference, request.reference ? one_line(*request.reference) : "-"),
      cell(record.reason)};
}

/// Returns --reason by the rules of the office; throws usage_error for any other text.
std::string reason_of(const arguments& args) {
  if (args.reason.empty()) return {};
  json::writer body;
  body.begin_object();
  body.field("reason", args.reason);
  body.end_object();
  auto text = std::string{body.text()};
  try {
    return http::read_booking_cancellation(text);
  } catch (const http::error& refused) {
    throw usage_error("--reason: " + refused.message);
  }
}

store::authored_cancellation cancellation_of(const arguments& args, const domain::uuid& booking,
                                             const std::string& reason) {
  const auto now = current_time();
  const auto new_id = [now] { return security::time_ordered_uuid(now); };
  const auto by = actor_of(args);
  store::office_author author{
      by, now, {new_id(), now, by, store::booking_cancel, domain::to_string(booking), {}}};
  store::booking_cancellation request{booking, {}, reason, http::changes_of_booking};
  request.notice = actors::notice_of_cancellation(author, new_id(), reason);
  return {std::move(request), std::move(author)};
}

/// Returns the status for a message that the booking cannot be cancelled. The stored one follows the date
/// with a delay.
std::string state_of(const store::booking_record& record) {
  const auto status = record.booking.status;
  const bool is_active =
      status == domain::booking_status::confirmed || status == domain::booking_status::checked_in;
  return is_active ? "over" : std::string{to_string(status)};
}

void print_cancelled(const store::booking_record& record, const std::string& prefix) {
  std::printf("%scancelled; the nights from %s to %s of %s are free\n", prefix.c_str(),
              domain::to_string(record.booking.check_in).c_str(),
              domain::to_string(record.booking.last_night).c_str(), unit_of(record).c_str());
}

} // namespace

int list_bookings(const arguments& args) {
  const auto settings = load_configuration(args).values;
  using enum domain::booking_status;
  const auto status =
      value_if_given("--status", args.status, {confirmed, checked_in, checked_out, cancelled});
  auto session = open_store(settings);
  const store::booking_filter filter{.account = account_if_given(session, args.account),
                                     .unit = unit_if_given(session, args.unit),
                                     .status = status,
                                     .platform = text_if_given(args.platform),
                                     .reference = text_if_given(args.reference)};
  require_unit_in_account(session, filter);
  check_filter(session, settings, filter);
  list_printer list(args.format, {"id", "status", "check_in", "check_out", "account", "unit", "unit_name",
                                  "guest", "platform", "reference", "created_at"});
  for (const auto& record : list.limited(store::list_bookings(session, filter, args.limit + 1), args.limit))
    list.add(booking_row(record));
  return 0;
}

int show_booking(const arguments& args) {
  parse_id(args.id);
  auto session = open_store(args);
  const auto record = require_booking(session, args.id);
  print_stay(record, store::canceller_of(session, record.booking.id));
  print_tenant(record.tenant);
  print_terms(record);
  print_plan(record);
  return 0;
}

int cancel_bookings(const arguments& args) {
  const auto reason = reason_of(args);
  std::vector<domain::uuid> bookings;
  for (const auto& text : args.ids)
    if (const auto id = parse_id(text); std::ranges::find(bookings, id) == bookings.end())
      bookings.push_back(id);
  auto session = open_store(args);
  for (const auto& id : bookings) require_booking(session, domain::to_string(id));
  std::vector<store::authored_cancellation> cancellations;
  cancellations.reserve(bookings.size());
  for (const auto& id : bookings) cancellations.push_back(cancellation_of(args, id, reason));
  std::optional<store::stream_point> change; // the last one
  std::string refused;
  for (const auto& outcome : store::cancel_for_landlords(session, cancellations)) {
    const auto prefix = bookings.size() > 1 ? domain::to_string(outcome.booking.booking.id) + ' ' : "";
    if (outcome.result == store::office_result::changed) {
      change = outcome.point;
      print_cancelled(outcome.booking, prefix);
    } else {
      refused += (refused.empty() ? "" : "; ") + std::string("the booking ") + prefix + "is " +
                 state_of(outcome.booking) + " and cannot be cancelled";
    }
  }
  const int status = change ? finish_change(session, *change) : 0;
  if (!refused.empty()) throw std::runtime_error(refused);
  return status;
}

int list_notifications(const arguments& args) {
  auto session = open_store(args);
  const auto account_id = account_if_given(session, args.account);
  list_printer list(args.format, {"created_at", "account", "kind", "title", "body", "booking", "request"});
  for (const auto& each :
       list.limited(store::list_notifications(session, account_id, args.limit + 1), args.limit))
    list.add({cell(each.created_at), data_cell(each.account_id), data_cell(each.kind),
              cell_as(each.title, one_line(each.title) + "\n"), cell(each.body), data_cell(each.booking_id),
              data_cell(each.request_id)});
  return 0;
}

int show_changelog(const arguments& args) {
  auto session = open_store(args);
  const auto id = require_unit(session, parse_id(args.id)).id;
  list_printer list(args.format, {"changed_at", "changed_by", "field", "before", "after"});
  for (const auto& entry : list.limited(store::changelog_of(session, id, args.limit + 1), args.limit)) {
    bool is_first = true;
    for (const auto& change : entry.changes) {
      const auto heading = domain::to_string(entry.changed_at) + "  by " + entry.changed_by + "\n";
      const auto text = (std::exchange(is_first, false) ? heading : std::string{}) + "  " + change.field +
                        ": " + change.before + " -> " + change.after;
      list.add({data_cell(entry.changed_at), data_cell(entry.changed_by), cell_as(change.field, text),
                data_cell(change.before), data_cell(change.after)});
    }
  }
  return 0;
}

int list_requests(const arguments& args) {
  using enum domain::request_state;
  const store::request_filter filter{
      .state = value_if_given("--status", args.status, {pending, success, failed, dropped}),
      .platform = text_if_given(args.platform),
      .since = time_if_given(args.since)};
  const auto settings = load_configuration(args).values;
  auto session = open_store(settings);
  if (filter.platform && store::list_requests(session, {.platform = filter.platform}, 1).empty())
    require_platform(settings, *filter.platform); // those of a removed platform are still listed
  list_printer list(args.format, {"id", "status", "received_at", "platform", "external_id", "check_in",
                                  "check_out", "reference", "reason"});
  for (const auto& record : list.limited(store::list_requests(session, filter, args.limit + 1), args.limit))
    list.add(request_row(record));
  return 0;
}

int show_request(const arguments& args) {
  const auto request_id = parse_id(args.id);
  auto session = open_store(args);
  const auto record = store::find_request(session, request_id);
  if (!record) throw std::runtime_error("there is no booking request with the id " + args.id);
  const auto& request = record->request;
  print_field("Request", domain::to_string(request.id));
  print_field("Status", std::string{to_string(record->state)});
  if (record->reason) print_field("Reason", *record->reason + ": " + explanation_of(*record->reason));
  print_field("Platform", request.platform);
  print_field("External ID", one_line(request.external_id));
  print_field("Reference", one_line(request.reference.value_or("")));
  print_field("Check-in", domain::to_string(request.check_in));
  print_field("Check-out", domain::to_string(request.check_out));
  print_field("Occupants", std::to_string(request.occupants));
  print_field("Received", domain::to_string(request.received_at) + ", " + age_of(request) + " ago");
  if (record->decided_at) print_field("Decided", domain::to_string(*record->decided_at));
  if (record->booking_id) print_field("Booking", domain::to_string(*record->booking_id));
  if (record->decided_at)
    print_field("Notified", record->company_name ? one_line(*record->company_name) : "no landlord");
  return 0;
}

} // namespace roost::cli
