#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "config/text.hpp"
#include "domain/date.hpp"
#include "store/bookings/erasure.hpp"
#include "store/database/trusted_time.hpp"

#include <cstdio>

namespace roost::cli {

namespace {

std::string count_of_tenants(std::int64_t count) { return domain::counted(count, "tenant", "tenants"); }
std::string count_of_requests(std::int64_t count) { return domain::counted(count, "request", "requests"); }

void throw_if_blocked(const std::optional<store::erasure_obstacle>& obstacle) {
  if (!obstacle) return;
  switch (*obstacle) {
  case store::erasure_obstacle::undecided_request:
    throw std::runtime_error(
        "a booking request of this guest is still undecided; try again after its decision");
  case store::erasure_obstacle::unfinished_stay:
    throw std::runtime_error(
        "this guest has a current or future stay; cancel it first, or wait until it has ended");
  }
}

/// Finds a guest in all accounts by email address, or by the address of the tenant with this id. Throws
/// std::runtime_error if there is none, or the guest cannot be erased.
store::known_guest require_guest(store::session& db, const std::string& id_or_email, domain::date today) {
  const auto id = domain::parse_uuid(id_or_email);
  const auto address = id ? store::address_of_tenant(db, *id) : id_or_email;
  auto guest = address ? store::find_guest(db, *address, today) : store::known_guest{};
  if (guest.tenants.empty() && guest.requests.empty() && !guest.obstacle)
    throw std::runtime_error("there is no data about " + id_or_email);
  throw_if_blocked(guest.obstacle);
  return guest;
}

} // namespace

int erase_tenant(const arguments& args) {
  const auto settings = load_configuration(args).values;
  auto session = open_store(settings);
  const auto now = current_time();
  if (!store::is_time_trusted(session, now))
    throw std::runtime_error("the clock may be wrong, and with it whether the guest's stays have ended: see "
                             "`roost clock show`");
  const auto today = domain::day_of(now);
  const auto guest = require_guest(session, args.id, today);
  if (!args.confirmed)
    throw usage_error("this permanently erases name, address, phone, fiscal ID and nationality of " +
                      count_of_tenants(std::ssize(guest.tenants)) + " and in " +
                      count_of_requests(std::ssize(guest.requests)) +
                      ", including their notifications; pass --confirm to do it");
  const auto id = domain::parse_uuid(args.id); // no address in the audit log, which is kept forever
  const auto result = store::erase_guest(session, guest, today, [&](const store::erasure& written) {
    record_audit(session, args, "tenant erase", id ? domain::to_string(*id) : "an address",
                 detail_of({count_of_tenants(written.tenants), count_of_requests(written.requests)}));
  });
  throw_if_blocked(result.obstacle);
  std::printf("erased %s, %s and %s\n"
              "mails that name the guest stay in the outbox for mail.keep (%s)\n",
              count_of_tenants(result.tenants).c_str(), count_of_requests(result.requests).c_str(),
              domain::counted(result.notifications, "notification", "notifications").c_str(),
              config::duration_text(settings.mail.keep).c_str());
  return result.change ? finish_change(session, *result.change) : 0;
}

} // namespace roost::cli
