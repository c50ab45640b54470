#include "cli/commands.hpp"
#include "cli/usage_error.hpp"
#include "config/duration.hpp"
#include "domain/date.hpp"
#include "store/bookings/erasure.hpp"

#include <chrono>
#include <cstdio>
#include <stdexcept>

namespace roost::cli {

namespace {

std::string count_of_tenants(std::int64_t count) { return domain::counted(count, "tenant", "tenants"); }
std::string count_of_requests(std::int64_t count) { return domain::counted(count, "request", "requests"); }

void refuse_where(const std::optional<store::erasure_obstacle>& obstacle) {
  if (!obstacle) return;
  switch (*obstacle) {
  case store::erasure_obstacle::request_waits:
    throw std::runtime_error("a request of this guest waits to be decided; try again after that");
  case store::erasure_obstacle::stay_to_come:
    throw std::runtime_error("this guest has a stay that is not over; cancel it first, or wait for its end");
  }
}

/// A tenant's id leads to its address, by which a guest is known in all accounts.
store::known_guest guest_called(store::session& db, const std::string& id_or_email, domain::date today) {
  const auto id = domain::parse_uuid(id_or_email);
  const auto address = id ? store::address_of_tenant(db, *id) : id_or_email;
  auto guest = address ? store::find_guest(db, *address, today) : store::known_guest{};
  if (guest.tenants.empty() && guest.requests.empty() && !guest.obstacle)
    throw std::runtime_error("nothing is known of " + id_or_email);
  refuse_where(guest.obstacle);
  return guest;
}

} // namespace

int erase_tenant(const common_options& common, const std::string& id_or_email, bool confirmed) {
  const auto settings = load_configuration(common).values;
  auto session = open_store(settings);
  const auto today = std::chrono::floor<domain::days>(std::chrono::system_clock::now());
  const auto guest = guest_called(session, id_or_email, today);
  if (!confirmed)
    throw usage_error("this erases name, address, phone, fiscal ID and nationality of " +
                      count_of_tenants(std::ssize(guest.tenants)) + " and in " +
                      count_of_requests(std::ssize(guest.requests)) +
                      ", in their notifications too, for ever; give --confirm to do it");
  const auto id = domain::parse_uuid(id_or_email); // the audit log is for ever, so it gets no address
  const auto done = store::erase_guest(session, guest, today, [&](const store::erasure& written) {
    note_audit(session, common, "tenant erase", id ? domain::to_string(*id) : "an address",
               detail_of({count_of_tenants(written.tenants), count_of_requests(written.requests)}));
  });
  refuse_where(done.obstacle);
  std::printf("erased %s, %s and %s\n"
              "mails that name the guest stay in the outbox until mail.keep (%s) is over\n",
              count_of_tenants(done.tenants).c_str(), count_of_requests(done.requests).c_str(),
              domain::counted(done.notifications, "notification", "notifications").c_str(),
              config::duration_text(settings.mail.keep).c_str());
  return done.change ? finish_change(session, *done.change) : 0;
}

} // namespace roost::cli
