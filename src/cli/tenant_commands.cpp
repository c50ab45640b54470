#include "cli/commands.hpp"
#include "cli/usage_error.hpp"
#include "store/bookings/erasure.hpp"

#include <cstdio>
#include <stdexcept>

namespace roost::cli {

int erase_tenant(const common_options& common, const std::string& id_or_email, bool confirmed) {
  auto session = open_store(load_configuration(common).values);
  const bool is_email = id_or_email.find('@') != std::string::npos;
  if (!is_email) id_of(id_or_email);
  const auto tenants = store::find_tenants(session, id_or_email);
  if (tenants.empty() && !is_email) throw std::runtime_error("there is no tenant with the id " + id_or_email);
  const auto today = std::chrono::floor<domain::days>(std::chrono::system_clock::now());
  if (store::have_stays_to_come(session, tenants, today))
    throw std::runtime_error("this guest has a stay that is not over; cancel it first, or wait for its end");
  if (!confirmed)
    throw usage_error("this erases name, address, phone, fiscal ID and nationality of " +
                      std::to_string(tenants.size()) +
                      " tenants, in their requests and notifications too, for ever; give --confirm to do it");
  const auto done = store::erase_tenants(session, tenants, is_email ? id_or_email : std::string{});
  if (done.tenants + done.requests == 0) throw std::runtime_error("nothing is known of " + id_or_email);
  note_audit(session, common, "tenant erase", is_email ? "an address" : id_or_email,
             std::to_string(done.tenants) + " tenants, " + std::to_string(done.requests) + " requests");
  std::printf("erased %lld tenants, %lld requests and %lld notifications\n",
              static_cast<long long>(done.tenants), static_cast<long long>(done.requests),
              static_cast<long long>(done.notifications));
  return done.change ? finish_change(session, *done.change) : 0;
}

} // namespace roost::cli
