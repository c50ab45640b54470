#pragma once

/// The signals that end the program: it then removes its files first.
namespace roost::testing::interruption {

/// From now on these signals no longer end the process; has_come() reports them.
void expect();

/// Whether such a signal has come.
bool has_come();

/// To be called in a child process: the signals end it again, and it ends with its parent.
void end_with_parent();

} // namespace roost::testing::interruption
