#pragma once

#include "actors/office/office_writer.hpp"
#include "store/office/account.hpp"
#include "store/office/ai.hpp"
#include "store/office/calendar_window.hpp"
#include "store/office/calendars.hpp"
#include "store/office/history.hpp"
#include "store/office/keys.hpp"
#include "store/office/platforms.hpp"
#include "store/office/properties.hpp"
#include "store/office/stay_setup.hpp"
#include "store/office/unit_table.hpp"
#include "store/office/units.hpp"
#include "store/office/users.hpp"
#include "store/portfolio/live.hpp"

#include <functional>
#include <memory>
#include <utility>

/// Work of the office in the store that no actor owns: handlers pass the functions of store/office, reads to
/// in_store(), writes to write_for_office().
namespace roost::actors {

/// What writes need that hold no nights.
struct office_lane {
  storage_lane storage;
  std::shared_ptr<const held_lease> lease;
  office_writer writer;
};

/// Performs a write that holds no nights, and returns its outcome once reads show it. Throws ask_error; then
/// the write may have been made, and a repeated request is safe.
template <typename Outcome>
asio::awaitable<Outcome> write_for_office(office_lane to,
                                          std::function<Outcome(store::session&, const store::lease&)> work) {
  leased_lane lane{to.storage, to.lease};
  auto outcome = co_await in_store(std::move(lane), "office_write", std::move(work));
  if (outcome.point.position == 0) co_return outcome; // nothing is stored
  show_change message{outcome.point, nullptr};
  co_await ask(to.writer, std::move(message));
  co_return outcome;
}

} // namespace roost::actors
