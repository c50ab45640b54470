#pragma once

#include "domain/date.hpp"

#include <functional>
#include <string>

namespace roost::cli {

/// A month as a calendar on the wall shows it, weeks from Monday to Sunday. `mark` gives a sign for each
/// night, a space for a free one.
std::string month_picture(std::chrono::year_month month, const std::function<char(domain::date)>& mark);

} // namespace roost::cli
