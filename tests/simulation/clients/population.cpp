#include "simulation/clients/population.hpp"

#include "simulation/clients/assistant.hpp"
#include "simulation/clients/booking_clerk.hpp"
#include "simulation/clients/bookkeeper.hpp"
#include "simulation/clients/event_follower.hpp"
#include "simulation/clients/guest.hpp"
#include "simulation/clients/holder.hpp"
#include "simulation/clients/imported_account.hpp"
#include "simulation/clients/landlord.hpp"
#include "simulation/clients/notification_reader.hpp"
#include "simulation/clients/office_worker.hpp"
#include "simulation/clients/operator_client.hpp"
#include "simulation/clients/outcome_follower.hpp"
#include "simulation/clients/stay_changer.hpp"
#include "simulation/clients/tenant_keeper.hpp"
#include "simulation/clients/usage_service.hpp"

#include <string>
#include <utility>

namespace roost::testing {

namespace {

std::unique_ptr<simulated_client> worker_next_to_imports(history& in, const prepared_world& world) {
  auto user = std::make_shared<known_user>(imported_account::email, imported_account::password);
  auto worker = std::make_unique<office_worker>(in, "office worker next to imports", std::move(user),
                                                world.listing_token(), imported_account::units,
                                                imported_account::first_unit);
  worker->spare_units();
  return worker;
}

/// Adds clients of an office who share the user of its booking clerk, whose sessions no other client ends.
template <typename Client>
void add_colleagues(std::vector<std::unique_ptr<simulated_client>>& to, history& in, unsigned count,
                    const std::string& name, const std::shared_ptr<known_user>& user,
                    const prepared_world& world) {
  for (unsigned i = 0; i < count; ++i)
    to.push_back(std::make_unique<Client>(in, name + ' ' + std::to_string(i + 1), user, world.listing_token(),
                                          world.clients(0).units));
}

} // namespace

std::vector<std::unique_ptr<simulated_client>> make_clients(history& in, const population& of,
                                                            const prepared_world& world) {
  std::vector<std::shared_ptr<known_user>> users;
  for (const auto& [email, password] : world.users())
    users.push_back(std::make_shared<known_user>(email, password));
  std::vector<std::unique_ptr<simulated_client>> clients;
  // The first landlords share a user, so that their sessions influence each other.
  for (unsigned i = 0; i < of.landlords; ++i)
    clients.push_back(std::make_unique<landlord>(in, "landlord " + std::to_string(i + 1),
                                                 users.at(i / 2 % (users.size() - 1))));
  // The last user's password stays the same.
  for (unsigned i = 0; i < of.assistants; ++i)
    clients.push_back(std::make_unique<assistant>(in, "assistant " + std::to_string(i + 1), users.back(),
                                                  world.keys().tool_server));
  for (unsigned i = 0; i < of.usage_services; ++i)
    clients.push_back(
        std::make_unique<usage_service>(in, "usage service " + std::to_string(i + 1), world.keys().usage));
  for (unsigned i = 0; i < of.guests; ++i)
    clients.push_back(std::make_unique<guest>(in, "guest " + std::to_string(i + 1), world.clients(0)));
  for (unsigned i = 0; i < of.office_workers; ++i)
    clients.push_back(std::make_unique<office_worker>(in, "office worker " + std::to_string(i + 1),
                                                      users.back(), world.listing_token(),
                                                      world.clients(0).units));
  const auto clerk = std::make_shared<known_user>(world.clerk().email, world.clerk().password);
  add_colleagues<booking_clerk>(clients, in, of.booking_clerks, "booking clerk", clerk, world);
  add_colleagues<bookkeeper>(clients, in, of.bookkeepers, "bookkeeper", clerk, world);
  add_colleagues<tenant_keeper>(clients, in, of.tenant_keepers, "tenant keeper", clerk, world);
  add_colleagues<notification_reader>(clients, in, of.notification_readers, "notification reader", clerk,
                                      world);
  for (unsigned i = 0; i < of.event_followers; ++i)
    clients.push_back(
        std::make_unique<event_follower>(in, "event follower " + std::to_string(i + 1), users.back()));
  for (unsigned i = 0; i < of.outcome_followers; ++i)
    clients.push_back(std::make_unique<outcome_follower>(in, "outcome follower " + std::to_string(i + 1),
                                                         world.clients(0)));
  for (unsigned i = 0; i < of.stay_changers; ++i)
    clients.push_back(
        std::make_unique<stay_changer>(in, "stay changer " + std::to_string(i + 1), world.clients(0)));
  for (unsigned i = 0; i < of.holders; ++i)
    clients.push_back(std::make_unique<holder>(in, "holder " + std::to_string(i + 1), world.clients(0)));
  if (of.has_operator) {
    clients.push_back(std::make_unique<operator_client>(in, "operator", users, world.listing_token()));
    clients.push_back(worker_next_to_imports(in, world));
  }
  return clients;
}

} // namespace roost::testing
