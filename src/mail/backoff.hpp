#pragma once

#include <chrono>
#include <optional>

namespace roost::mail {

/// How long to wait after a mail failed for the `attempts`th time: 30 s, twice as long each time, at most an
/// hour. Nothing when three days have been waited in all: given up.
std::optional<std::chrono::seconds> retry_after(int attempts);

} // namespace roost::mail
