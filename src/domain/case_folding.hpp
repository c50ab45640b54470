#pragma once

#include <string>
#include <string_view>

namespace roost::domain {

/// UTF-8 text so that texts which differ in letter case alone become the same: full case folding (Unicode
/// Standard, 3.13, toCasefold), in which `ß` is `ss`. Addresses of mail are compared so, here and in the
/// store. Text that is no UTF-8 stays as it is.
std::string folded_case(std::string_view text);

/// The same without accents, for comparing names of places: combining marks are left out, and letters such as
/// ø and ł become the letters that they are made of.
std::string folded_without_accents(std::string_view text);

} // namespace roost::domain
