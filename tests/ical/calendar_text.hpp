#pragma once

#include "ical/blocked_nights.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace roost::ical::testing {

inline const domain::date today = *domain::parse_date("2026-11-28");

/// Returns lines with CR LF.
inline std::string lines_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += line + "\r\n";
  return text;
}

/// Returns an event of these lines.
inline std::string event(const std::vector<std::string>& lines) {
  return "BEGIN:VEVENT\r\n" + lines_of(lines) + "END:VEVENT\r\n";
}

inline std::string calendar(const std::string& components) {
  return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//Test//EN\r\n" + components +
         "END:VCALENDAR\r\n";
}

/// Returns the nights that a text blocks, as "2027-05-14..2027-05-15 2027-06-01..2027-06-01".
inline std::string blocked(const std::string& text) {
  std::string shown;
  for (const auto& each : blocked_nights(text, today))
    shown += (shown.empty() ? "" : " ") + domain::to_string(each.first) + ".." + domain::to_string(each.last);
  return shown;
}

/// Returns the nights that a single event blocks.
inline std::string blocked_by(const std::vector<std::string>& lines) {
  return blocked(calendar(event(lines)));
}

/// Returns why a text is broken; a failed test if it is not.
inline std::string problem_of(const std::string& text) {
  try {
    const auto nights = blocked(text);
    ADD_FAILURE() << "not broken: " << nights;
    return {};
  } catch (const broken_calendar& error) {
    return error.what();
  }
}

} // namespace roost::ical::testing
