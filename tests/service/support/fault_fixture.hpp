#pragma once

#include "service/support/booking_load.hpp"
#include "service/support/running_roost.hpp"
#include "service/support/workplace.hpp"

#include <gmock/gmock.h>

/// Common parts of the fault tests: a small service under load, and the responses that its clients may get.
namespace roost::testing {

inline constexpr unsigned fault_units = 3;

/// Imports the units of the load, and returns the settings of a load.
load_settings prepare_load(const workplace& place, std::uint32_t seed);

/// Matches a busy response with its header (Partner API, Errors).
::testing::Matcher<const raw_response&> is_busy();

/// Waits until every request is decided, then expects that the store matches what the clients know.
void expect_exact_history(workplace& place, const std::vector<submission>& submitted);

/// Returns the number of submissions by outcome, for the test's output.
std::string summary(const std::vector<submission>& submitted);

/// Expects that every submission was acknowledged or got a busy response before the client's timeout.
/// `allowed` permits submissions without a response, for servers that were killed or stopped.
enum class unanswered { allowed, forbidden };
void expect_acknowledged_or_busy(const std::vector<submission>& submitted, unanswered rule);

/// Both, for a server that ran all the time. Prints the summary.
void expect_consistent_responses(workplace& place, const std::vector<submission>& submitted);

/// Returns how many times to kill the server: ROOST_TEST_KILL_ROUNDS, else the default.
int kill_rounds(int default_rounds);

/// Returns ROOST_TEST_SEED, which repeats a run's random choices but not its timing, else a random seed.
std::uint32_t test_seed();

} // namespace roost::testing
