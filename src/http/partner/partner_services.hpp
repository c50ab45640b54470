#pragma once

#include "actors/bookings/booking_intake.hpp"
#include "actors/bookings/platform_bookings.hpp"
#include "actors/engine/booking_engine.hpp"
#include "actors/feeds/feed.hpp"
#include "actors/feeds/full_feed.hpp"
#include "actors/inventory/directory.hpp"
#include "actors/runtime/clock.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/published.hpp"
#include "domain/short_term_host.hpp"
#include "security/live_keys.hpp"
#include "security/token.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace roost::http {

/// The services of the partner API's routes. The composition root creates them once; they outlive the server.
struct partner_services {
  actors::platform_list platforms;
  std::vector<domain::short_term_host> short_term_hosts; ///< the calendars' readers
  const actors::published<actors::directory>* directory = nullptr;
  std::span<const actors::platform_feed> feeds;  ///< by platform
  std::span<const actors::full_feed> full_feeds; ///< by platform; null where the platform has none
  actors::booking_intake intake;
  actors::booking_engine booking_engine;
  actors::platform_bookings platform_bookings;
  actors::storage_lane reads; ///< the lane for reads of the store
  std::shared_ptr<const actors::held_lease> lease;
  const security::token_verifier* tokens = nullptr;
  const actors::published<security::live_keys>* live_keys = nullptr; ///< account and webhook keys
  actors::wall_clock now;
  std::function<domain::uuid()> new_id;
  std::string base_url; ///< the server's public URL, without a trailing slash
};

} // namespace roost::http
