#pragma once

/// Handling of the signals that end the program, which removes its files first.
namespace roost::testing::interruption {

/// Makes is_pending() report these signals instead of ending the process.
void catch_signals();

/// Returns whether such a signal has arrived.
bool is_pending();

/// Restores the default handling in a child process, and ends it with its parent.
void end_with_parent();

} // namespace roost::testing::interruption
