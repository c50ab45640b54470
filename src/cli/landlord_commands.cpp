#include "cli/commands.hpp"
#include "cli/usage_error.hpp"
#include "domain/one_line.hpp"
#include "store/bookings/booking_records.hpp"
#include "store/bookings/cancellations.hpp"
#include "store/engine/changelog.hpp"

#include <array>
#include <cstdio>

namespace roost::cli {

namespace {

using domain::one_line; // others wrote names and references

std::optional<domain::uuid> id_if_given(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional{id_of(text)};
}

std::optional<std::string> text_if_given(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional{text};
}

std::optional<domain::booking_status> status_if_given(const std::string& text) {
  if (text.empty()) return std::nullopt;
  using enum domain::booking_status;
  for (const auto status : {confirmed, checked_in, checked_out, cancelled})
    if (text == to_string(status)) return status;
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

void print_line(const store::booking_record& record) {
  const auto& booking = record.booking;
  std::printf("%s  %-11s  %s to %s  %s  %s  %s\n", domain::to_string(booking.id).c_str(),
              std::string(to_string(booking.status)).c_str(), domain::to_string(booking.check_in).c_str(),
              domain::to_string(booking.check_out).c_str(), unit_of(record).c_str(), guest_of(record).c_str(),
              origin_of(booking).c_str());
}

std::string amount(domain::money value, const std::string& currency) {
  char text[32];
  std::snprintf(text, sizeof text, "%lld.%02lld", static_cast<long long>(value.cents / 100),
                static_cast<long long>(value.cents % 100));
  return std::string{text} + " " + currency;
}

void print_stay(const store::booking_record& record) {
  const auto& booking = record.booking;
  const auto& terms = *booking.terms;
  print_fact("Booking", domain::to_string(booking.id));
  auto status = std::string{to_string(booking.status)};
  if (record.cancelled_at)
    status += " by the " + std::string{to_string(*record.cancelled_by)} + " at " +
              domain::to_string(*record.cancelled_at);
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
    print_fact("Bills", terms.bills.max_value
                            ? "included up to " + amount(*terms.bills.max_value, record.currency) + " a month"
                            : std::string{"included"});
  else
    print_fact("Bills", "not included");
  print_fact("Cleaning", one_line(terms.cleaning_frequency));
  if (record.booking.ota_commission)
    print_fact("Commission", amount(*record.booking.ota_commission, record.currency));
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
                amount(line.amount, record.currency).c_str(), std::string(to_string(line.payer)).c_str(),
                std::string(to_string(line.payee)).c_str(), what.c_str());
  }
  std::printf("The tenant owes %s in all.\n",
              amount(domain::total_owed(record.booking.terms->plan), record.currency).c_str());
}

store::booking_record require_booking(store::session& db, const std::string& id) {
  auto record = store::find_booking(db, id_of(id));
  if (!record) throw std::runtime_error("there is no booking with the id " + id);
  return std::move(*record);
}

} // namespace

int list_bookings(const common_options& common, const booking_list_options& options) {
  const store::booking_filter wanted{.account = id_if_given(options.account),
                                     .unit = id_if_given(options.unit),
                                     .status = status_if_given(options.status),
                                     .platform = text_if_given(options.platform),
                                     .reference = text_if_given(options.reference)};
  auto session = open_store(load_configuration(common).values);
  for (const auto& record : store::list_bookings(session, wanted, options.limit)) print_line(record);
  return 0;
}

int show_booking(const common_options& common, const std::string& id) {
  id_of(id);
  auto session = open_store(load_configuration(common).values);
  const auto record = require_booking(session, id);
  print_stay(record);
  print_tenant(record.tenant);
  print_terms(record);
  print_plan(record);
  return 0;
}

int cancel_booking(const common_options& common, const std::string& id) {
  const auto booking = id_of(id);
  auto session = open_store(load_configuration(common).values);
  const auto outcome = store::cancel_for_landlord(session, booking);
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
  const auto wanted = id_if_given(account);
  auto session = open_store(load_configuration(common).values);
  for (const auto& told : store::list_notifications(session, wanted, limit))
    std::printf("%s  %s\n  %s\n", domain::to_string(told.created_at).c_str(), one_line(told.title).c_str(),
                one_line(told.body).c_str());
  return 0;
}

int show_changelog(const common_options& common, const std::string& unit, std::size_t limit) {
  const auto id = id_of(unit);
  auto session = open_store(load_configuration(common).values);
  for (const auto& entry : store::changelog_of(session, id, limit)) {
    std::printf("%s  by %s\n", domain::to_string(entry.changed_at).c_str(), entry.changed_by.c_str());
    for (const auto& change : entry.changes)
      std::printf("  %s: %s -> %s\n", change.field.c_str(), change.before.c_str(), change.after.c_str());
  }
  return 0;
}

} // namespace roost::cli
