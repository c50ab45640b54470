#pragma once

#include "service/support/booking_history.hpp"
#include "service/support/booking_load.hpp"
#include "service/support/running_roost.hpp"
#include "service/support/workplace.hpp"

#include <gmock/gmock.h>

/// What the fault tests have in common: a busy little service, and how its clients may be answered.
namespace roost::testing {

inline constexpr unsigned fault_units = 3;

/// Imports the units that the load is about, and gives the settings of a load.
load_settings prepare_for_load(const workplace& place, std::uint32_t seed);

/// As the error's body and header say it everywhere (Partner API, Errors).
::testing::Matcher<const raw_response&> is_busy();

/// Waits until no request is undecided, then expects that the store agrees with what the clients know.
void expect_exact_history(workplace& place, const std::vector<submission>& submitted);

/// How the submissions ended, in numbers, for a person who reads the test's output.
std::string summary(const std::vector<submission>& submitted);

/// Expects only answers that a faulty store allows: acknowledged or busy, and within the load's patience.
/// `unanswered` are allowed where the server itself went away.
enum class unanswered { allowed, forbidden };
void expect_clear_responses(const std::vector<submission>& submitted, unanswered allowed);

/// Both, where the server was there all the time. Says how the submissions ended.
void expect_every_answer_true(workplace& place, const std::vector<submission>& submitted);

/// How many times a server is killed; ROOST_TEST_KILL_ROUNDS asks for more than a normal run has time for.
int chosen_rounds(int usual);

/// ROOST_TEST_SEED repeats a run's choices, though not its timing.
std::uint32_t chosen_seed();

} // namespace roost::testing
