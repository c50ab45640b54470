#include "domain/mapping.hpp"
#include "fuzz/support/target.hpp"
#include "fuzz/support/texts.hpp"

#include <string>
#include <variant>

/// URLs of units on platforms, as landlords paste them, and IDs of units.
namespace roost::fuzz::unit_url {
namespace {

using domain::platform_kind;

domain::platform platform_of(platform_kind kind) {
  domain::platform platform;
  platform.name = platform.prefix = "the-platform";
  platform.kind = kind;
  platform.domains = {"platform.example"};
  return platform;
}

void check_url(const domain::platform& platform, std::string_view url) {
  const auto mapped = domain::external_id_from_url(platform, url);
  if (const auto* problem = std::get_if<domain::mapping_problem>(&mapped)) {
    require_one_line(problem->text);
    return;
  }
  const auto& id = std::get<std::string>(mapped);
  require(domain::is_external_id(id), "an ID of a URL is valid");
  const auto with_blanks = domain::external_id_from_url(platform, " " + std::string{url} + "\r\n");
  require(std::get<std::string>(with_blanks) == id, "blanks around a URL do not matter");
  const auto parts = domain::parse_page_url(url.substr(url.find_first_not_of(" \t\r\n")));
  require(!parts || domain::is_within(parts->host, platform.domains), "a URL is on the platform");
}

void check(std::string_view input) {
  for (const auto kind :
       {platform_kind::marketplace_a, platform_kind::marketplace_b, platform_kind::marketplace_c,
        platform_kind::marketplace_d, platform_kind::booking_engine, platform_kind::room_sharing,
        platform_kind::student_housing})
    check_url(platform_of(kind), input);
  if (const auto parts = domain::parse_page_url(input)) {
    require(!parts->host.empty() && parts->host.find_first_of("@:/\\ ") == std::string::npos,
            "a host is a name");
    for (const auto segment : parts->segments)
      require(!segment.empty() && segment.find('/') == std::string_view::npos, "segments have no slash");
  }
  if (domain::is_external_id(input)) {
    require(!has_control(input), "an ID has no control characters");
    if (const auto part = domain::property_part(input))
      require(input.starts_with(std::string{*part} + '_'), "a property's ID precedes the underscore");
  }
}

const target registered{"unit_url", "UrlsOfUnitsHaveValidIds", check};

} // namespace
} // namespace roost::fuzz::unit_url
