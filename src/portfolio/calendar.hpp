#pragma once

#include "domain/unit.hpp"
#include "portfolio/description.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

/// The description of an imported calendar in portfolio files and in the office (docs/portfolio.md,
/// docs/office-api.md).
namespace roost::portfolio::objects {

/// A value that is null in files if it is `none`.
template <typename Kind, typename V>
struct none_is_null {
  Kind kind;
  V none;

  constexpr json::facts schema_facts() const {
    auto facts = kind.schema_facts();
    facts.nullable = true;
    return facts;
  }
  template <typename T>
  bool read(reader& in, T& to) const {
    if (!in.is_null()) return kind.read(in, to);
    to = none;
    return true;
  }
  template <typename T>
  void write(std::string& to, const T& value) const {
    if (value == none)
      to += "null";
    else
      append_json(to, value);
  }
};
template <typename Kind, typename V>
none_is_null(Kind, V) -> none_is_null<Kind, V>; // clang 14 deduces nothing for aggregates

/// The name of a configured short-term host, or null.
inline constexpr none_is_null short_term_host{
    kind::configured{&file_scope::short_term_hosts, "a configured short-term host"}, std::string_view{}};

/// A whole number of minutes, hours or days, from a minute to a week: `5m`, `1h`, `1d`.
struct fetch_interval {
  struct unit {
    char name;
    int seconds;
  };
  static constexpr std::array units{unit{'d', 86'400}, unit{'h', 3'600}, unit{'m', 60}};
  static constexpr int longest = 7 * 86'400;

  constexpr json::facts schema_facts() const { return {.type = "string", .pattern = "^[1-9][0-9]*[mhd]$"}; }

  bool read(reader& in, int& to) const {
    const auto seconds = in.is(json_type::text) ? parse(in.node().text) : std::nullopt;
    if (!seconds) return in.refuse("must be a time of 1m to 7d, like 5m, 1h or 1d");
    to = *seconds;
    return true;
  }

  void write(std::string& to, int seconds) const {
    for (const auto& each : units)
      if (seconds % each.seconds == 0)
        return append_quoted(to, std::to_string(seconds / each.seconds) + each.name);
  }

private:
  static std::optional<int> parse(std::string_view text) {
    int count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc{} || end + 1 != text.data() + text.size() || count < 1) return std::nullopt;
    for (const auto& each : units)
      if (*end == each.name && count <= longest / each.seconds) return count * each.seconds;
    return std::nullopt;
  }
};

/// The URL of a calendar, which may contain a secret.
inline constexpr kind::simple<std::string> calendar_url{[](reader& in, std::string& to) {
                                                          std::string url;
                                                          if (!read_url(in, url)) return false;
                                                          if (!url.starts_with("https://"))
                                                            return in.refuse("must be an https URL");
                                                          to = std::move(url);
                                                          return true;
                                                        },
                                                        {.type = "string", .format = "uri"}};

// The members that are the same in files and in the office; `Calendar` has them.

template <typename Calendar>
inline constexpr auto calendar_name = field("name", kind::name, &Calendar::name, "For the office");
template <typename Calendar>
inline constexpr auto
    calendar_host = field("host", short_term_host, &Calendar::host,
                          "The short-term host that it comes from, which does not get it back; or null",
                          optional);
template <typename Calendar>
inline constexpr auto calendar_interval =
    field("every", fetch_interval{}, &Calendar::every_seconds,
          "How often it is fetched, like `5m`; null: as often as the server's configuration says", optional);

using domain::imported_calendar;

/// Uploaded calendars have no place in files.
inline constexpr checked_by has_calendar_url{
    [](reading<imported_calendar>& at, const std::optional<std::string>& url) {
      return url || at.in.refuse("must be an https URL");
    }};

inline constexpr auto calendar_object = record<imported_calendar>(
    field("id", kind::id, &imported_calendar::id, "", unique_in<&uniqueness::calendars>),
    calendar_name<imported_calendar>,
    field("url", calendar_url, &imported_calendar::url,
          "Where the calendar is fetched; it may contain a secret", secret{"url"}, has_calendar_url),
    calendar_host<imported_calendar>, calendar_interval<imported_calendar>);

} // namespace roost::portfolio::objects
