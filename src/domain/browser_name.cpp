#include "domain/browser_name.hpp"

#include <algorithm>
#include <array>

namespace roost::domain {

namespace {

/// A part of a User-Agent, and what people call it.
struct known_part {
  std::string_view part, name;
};

/// The first one found counts: most browsers name those that they want to be taken for as well.
constexpr std::array<known_part, 10> browsers{{{"Edg", "Edge"}, // Edg/, EdgA/, EdgiOS/
                                               {"OPR/", "Opera"},
                                               {"SamsungBrowser/", "Samsung Internet"},
                                               {"Vivaldi/", "Vivaldi"},
                                               {"FxiOS/", "Firefox"},
                                               {"Firefox/", "Firefox"},
                                               {"CriOS/", "Chrome"},
                                               {"Chrome/", "Chrome"},
                                               {"Chromium/", "Chromium"},
                                               {"Safari/", "Safari"}}};

constexpr std::array<known_part, 8> systems{{{"Android", "Android"},
                                             {"iPhone", "iPhone"},
                                             {"iPad", "iPad"},
                                             {"Windows", "Windows"},
                                             {"CrOS", "ChromeOS"},
                                             {"Macintosh", "macOS"},
                                             {"X11", "Linux"},
                                             {"Linux", "Linux"}}};

template <std::size_t Count>
std::string_view name_in(std::string_view user_agent, const std::array<known_part, Count>& known) {
  const auto found = std::ranges::find_if(
      known, [&](const auto& each) { return user_agent.find(each.part) != std::string_view::npos; });
  return found == known.end() ? std::string_view{} : found->name;
}

/// The first product without its version (RFC 9110, 10.1.5).
std::string product_of(std::string_view user_agent) {
  constexpr std::size_t longest = 40;
  const auto product = user_agent.substr(0, user_agent.find_first_of("/ "));
  const bool shown = !product.empty() && product.size() <= longest &&
                     std::ranges::all_of(product, [](char c) { return c > ' ' && c <= '~'; });
  return shown ? std::string(product) : "Unknown browser";
}

} // namespace

std::string browser_name(std::string_view user_agent) {
  const auto browser = name_in(user_agent, browsers), system = name_in(user_agent, systems);
  if (browser.empty()) return product_of(user_agent);
  return std::string(browser) + (system.empty() ? "" : " on " + std::string(system));
}

} // namespace roost::domain
