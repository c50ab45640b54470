#include "domain/case_folding.hpp"

#include "domain/lower_case.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <utf8proc.h>

namespace roost::domain {

std::string folded_case(std::string_view text) {
  if (std::ranges::all_of(text, [](unsigned char c) { return c < 0x80; })) return lower_case(text);
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  utf8proc_uint8_t* made = nullptr;
  const auto length =
      utf8proc_map(bytes, static_cast<utf8proc_ssize_t>(text.size()), &made, UTF8PROC_CASEFOLD);
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owned(made, &std::free);
  if (length == UTF8PROC_ERROR_NOMEM) throw std::bad_alloc();
  if (length < 0) return std::string{text};
  return {reinterpret_cast<const char*>(made), static_cast<std::size_t>(length)};
}

} // namespace roost::domain
