#include "cli/commands.hpp"
#include "cli/facts.hpp"
#include "cli/required.hpp"
#include "cli/usage_error.hpp"
#include "domain/text.hpp"
#include "mail/notices.hpp"
#include "security/random.hpp"
#include "store/audit/audit.hpp"
#include "store/bookings/booking_records.hpp"
#include "store/bookings/cancellations.hpp"
#include "store/engine/changelog.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace roost::cli {

namespace {

using domain::one_line; // others wrote names and references

std::optional<std::string> text_if_given(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional{text};
}

std::optional<domain::booking_status> status_if_given(const std::string& text) {
  if (text.empty()) return std::nullopt;
  using enum domain::booking_status;
  for (const auto status : {confirmed, checked_in, checked_out, cancelled})
    if (domain::lower_case(text) == to_string(status)) return status;
  throw usage_error("--status: '" + text + "' is none of confirmed, checked_in, checked_out, cancelled");
}

std::string unit_of(const store::booking_record& record) {
  auto unit = one_line(record.unit_name);
  if (const auto city = one_line(record.city); !city.empty()) unit += ", " + city;
  return unit;
}

std::string guest_of(const store::booking_record& record) {
  const auto& guest = record.tenant.details;
  return one_line(guest.first_name + " " + guest.last_name.value_or(""));
}

std::string origin_of(const domain::booking& booking) {
  return booking.platform + (booking.reference ? " " + one_line(*booking.reference) : "");
}

/// The status is as wide as the widest, so that stays stand below each other.
list_cell status_of(const domain::booking& booking) {
  auto words = std::string{to_string(booking.status)};
  words.resize(std::max(words.size(), std::size_t{11}), ' ');
  return shown_as(std::string{to_string(booking.status)}, std::move(words));
}

std::vector<list_cell> line_of(const store::booking_record& record) {
  const auto& booking = record.booking;
  return {shown(booking.id),
          status_of(booking),
          shown_as(booking.check_in,
                   domain::to_string(booking.check_in) + " to " + domain::to_string(booking.check_out)),
          unshown(booking.check_out),
          unshown(booking.account_id),
          unshown(booking.unit_id),
          shown_as(record.unit_name, unit_of(record)),
          shown(guest_of(record)),
          shown_as(booking.platform, origin_of(booking)),
          unshown(booking.reference),
          unshown(booking.created_at)};
}

void print_stay(const store::booking_record& record, const std::optional<std::string>& canceller) {
  const auto& booking = record.booking;
  const auto& terms = *booking.terms;
  print_fact("Booking", domain::to_string(booking.id));
  auto status = std::string{to_string(booking.status)};
  if (record.cancelled_at)
    status += " by the " + std::string{to_string(*record.cancelled_by)} + " at " +
              domain::to_string(*record.cancelled_at);
  if (canceller) status += ", " + *canceller;
  print_fact("Status", status);
  print_fact("Unit", unit_of(record) + "  " + domain::to_string(booking.unit_id));
  print_fact("Landlord", one_line(record.company_name));
  print_fact("Check-in", domain::to_string(booking.check_in) + " " + terms.check_in_time);
  print_fact("Check-out", domain::to_string(booking.check_out) + " " + terms.check_out_time);
  print_fact("Blocked until", domain::to_string(booking.last_night));
  print_fact("Occupants", std::to_string(booking.occupants));
  print_fact("Platform", origin_of(booking));
  print_fact("Created", domain::to_string(booking.created_at));
}

void print_tenant(const domain::tenant& tenant) {
  const auto& details = tenant.details;
  print_fact("Tenant", one_line(details.first_name + " " + details.last_name.value_or("")));
  print_fact("Email", one_line(details.email));
  print_fact("Phone", one_line(details.phone.value_or("")));
  print_fact("Fiscal ID", one_line(details.fiscal_id.value_or("")));
  print_fact("Nationality", one_line(details.nationality.value_or("")));
  print_fact("Category", one_line(tenant.category.value_or("")));
}

void print_terms(const store::booking_record& record) {
  const auto& terms = *record.booking.terms;
  print_fact("Contract", one_line(terms.contract_type));
  if (terms.bills.included)
    print_fact("Bills",
               terms.bills.max_value
                   ? "included up to " + amount_of(*terms.bills.max_value, record.currency) + " a month"
                   : std::string{"included"});
  else
    print_fact("Bills", "not included");
  print_fact("Cleaning", one_line(terms.cleaning_frequency));
  if (record.booking.ota_commission)
    print_fact("Commission", amount_of(*record.booking.ota_commission, record.currency));
}

std::string label_of(domain::payment_kind kind) {
  static constexpr std::array<const char*, 6> labels{"Rent",         "Deposit",  "Admin fee",
                                                     "Cleaning fee", "Exit fee", "Provider platform payment"};
  return labels[static_cast<std::size_t>(kind)];
}

void print_plan(const store::booking_record& record) {
  std::puts("\nDue         Amount           From      To        What");
  for (const auto& line : record.booking.terms->plan) {
    auto what = label_of(line.kind);
    if (line.period)
      what += ", nights of " + domain::to_string(line.period->first) + " to " +
              domain::to_string(line.period->last);
    std::printf("%s  %15s  %-8s  %-8s  %s\n", domain::to_string(line.due).c_str(),
                amount_of(line.amount, record.currency).c_str(), std::string(to_string(line.payer)).c_str(),
                std::string(to_string(line.payee)).c_str(), what.c_str());
  }
  std::printf("The tenant owes %s in all.\n",
              amount_of(domain::total_owed(record.booking.terms->plan), record.currency).c_str());
}

/// Throws std::runtime_error for a unit of another account than the one that is asked for.
void require_unit_in_account(store::session& db, const store::booking_filter& wanted) {
  if (!wanted.account || !wanted.unit || require_unit(db, *wanted.unit).account_id == *wanted.account) return;
  throw std::runtime_error("the unit " + domain::to_string(*wanted.unit) + " is not in the account " +
                           domain::to_string(*wanted.account));
}

/// Throws std::runtime_error where no booking with that reference is of what else is named.
void require_reference(store::session& db, const store::booking_filter& wanted) {
  const auto& reference = *wanted.reference;
  const auto is_there = [&](store::booking_filter named) {
    named.reference = reference;
    return !store::list_bookings(db, named, 1).empty();
  };
  if (!is_there({})) throw std::runtime_error("there is no booking with the reference " + reference);
  const auto refuse = [&](const std::string& whose) {
    throw std::runtime_error("the booking with the reference " + reference + " is not of " + whose);
  };
  if (wanted.platform && !is_there({.platform = wanted.platform})) refuse("the platform " + *wanted.platform);
  if (wanted.unit && !is_there({.unit = wanted.unit})) refuse("the unit " + domain::to_string(*wanted.unit));
  if (wanted.account && !is_there({.account = wanted.account}))
    refuse("the account " + domain::to_string(*wanted.account));
  if (!is_there({.account = wanted.account, .unit = wanted.unit, .platform = wanted.platform}))
    refuse("the platform, the unit and the account that are named, at once");
}

/// Throws where there is nothing of that name. Bookings of a platform that is not configured any more are
/// still listed.
void require_what_is_named(store::session& db, const config::settings& settings,
                           const store::booking_filter& wanted) {
  if (wanted.platform && store::list_bookings(db, {.platform = wanted.platform}, 1).empty())
    require_platform(settings, *wanted.platform);
  if (wanted.reference) require_reference(db, wanted);
}

store::booking_record require_booking(store::session& db, const std::string& id) {
  auto record = store::find_booking(db, id_of(id));
  if (!record) throw std::runtime_error("there is no booking with the id " + id);
  return std::move(*record);
}

} // namespace

int list_bookings(const common_options& common, const booking_list_options& options) {
  const auto settings = load_configuration(common).values;
  const auto status = status_if_given(options.status);
  auto session = open_store(settings);
  const store::booking_filter wanted{.account = account_if_given(session, options.account),
                                     .unit = unit_if_given(session, options.unit),
                                     .status = status,
                                     .platform = text_if_given(options.platform),
                                     .reference = text_if_given(options.reference)};
  require_unit_in_account(session, wanted);
  require_what_is_named(session, settings, wanted);
  const auto read = [&](std::size_t most) { return store::list_bookings(session, wanted, most); };
  printed_list list(common.format, {"id", "status", "check_in", "check_out", "account", "unit", "unit_name",
                                    "guest", "platform", "reference", "created_at"});
  for (const auto& record : list.first_of(options.limit, read)) list.add(line_of(record));
  return 0;
}

int show_booking(const common_options& common, const std::string& id) {
  id_of(id);
  auto session = open_store(load_configuration(common).values);
  const auto record = require_booking(session, id);
  print_stay(record, store::canceller_of(session, record.booking.id));
  print_tenant(record.tenant);
  print_terms(record);
  print_plan(record);
  return 0;
}

int cancel_booking(const common_options& common, const std::string& id) {
  const auto booking = id_of(id);
  auto session = open_store(load_configuration(common).values);
  const auto by = actor_of(common);
  const auto outcome = store::cancel_for_landlord(session, booking, [&](const store::booking_record& record) {
    const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    note_audit(session, common, store::booking_cancel, domain::to_string(booking),
               unit_of(record)); // in the cancel's transaction
    return mail::cancelled_by_hand_notice(security::time_ordered_uuid(now), now, record.booking.account_id,
                                          booking, {record.unit_name, record.city, store::request_of(record)},
                                          by);
  });
  const auto record = require_booking(session, id);
  if (!outcome || !outcome->done)
    throw std::runtime_error("the booking is " + std::string{to_string(record.booking.status)} +
                             " and cannot be cancelled");
  std::printf("cancelled; the nights from %s to %s of %s are free\n",
              domain::to_string(record.booking.check_in).c_str(),
              domain::to_string(record.booking.last_night).c_str(), unit_of(record).c_str());
  return finish_change(session, outcome->change);
}

int list_notifications(const common_options& common, const std::string& account, std::size_t limit) {
  auto session = open_store(load_configuration(common).values);
  const auto wanted = account_if_given(session, account);
  printed_list list(common.format, {"created_at", "account", "kind", "title", "body", "booking", "request"});
  const auto read = [&](std::size_t most) { return store::list_notifications(session, wanted, most); };
  for (const auto& told : list.first_of(limit, read))
    list.add({shown(told.created_at), unshown(told.account_id), unshown(told.kind),
              shown_as(told.title, one_line(told.title) + "\n"), shown(told.body), unshown(told.booking_id),
              unshown(told.request_id)});
  return 0;
}

int show_changelog(const common_options& common, const std::string& unit, std::size_t limit) {
  auto session = open_store(load_configuration(common).values);
  const auto id = require_unit(session, id_of(unit)).id;
  printed_list list(common.format, {"changed_at", "changed_by", "field", "before", "after"});
  const auto read = [&](std::size_t most) { return store::changelog_of(session, id, most); };
  for (const auto& entry : list.first_of(limit, read)) {
    bool is_first = true;
    for (const auto& change : entry.changes) {
      const auto head = domain::to_string(entry.changed_at) + "  by " + entry.changed_by + "\n";
      const auto words = (std::exchange(is_first, false) ? head : std::string{}) + "  " + change.field +
                         ": " + change.before + " -> " + change.after;
      list.add({unshown(entry.changed_at), unshown(entry.changed_by), shown_as(change.field, words),
                unshown(change.before), unshown(change.after)});
    }
  }
  return 0;
}

} // namespace roost::cli
