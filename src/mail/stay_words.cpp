#include "mail/stay_words.hpp"

#include "domain/date.hpp"
#include "domain/text.hpp"

#include <stdexcept>

namespace roost::mail {

namespace {

using domain::counted, domain::one_line, domain::written_out;

std::string unit_of(const stay_facts& stay) {
  const auto name = one_line(stay.unit_name), city = one_line(stay.city);
  if (name.empty()) return "Unknown unit";
  return city.empty() ? name : name + ", " + city;
}

std::string length_of(const domain::booking_request& request) {
  const auto count = (request.check_out - request.check_in).count();
  return count > 0 ? counted(count, "night", "nights") : "";
}

std::string warning_text(domain::stay_warning warning, const stay_words& stay) {
  switch (warning) {
  case domain::stay_warning::above_capacity:
    return "It is for " + stay.people + ", more than the unit sleeps.";
  case domain::stay_warning::shorter_than_minimum:
    return "It is shorter than the unit's minimum stay.";
  case domain::stay_warning::longer_than_maximum:
    return "It is longer than the unit's maximum stay.";
  }
  throw std::logic_error("unknown value");
}

} // namespace

stay_words::stay_words(const stay_facts& stay)
    : unit(unit_of(stay)),
      guest(one_line(stay.request.tenant.first_name + " " + stay.request.tenant.last_name.value_or(""))),
      check_in(written_out(stay.request.check_in)), check_out(written_out(stay.request.check_out)),
      nights(length_of(stay.request)), people(counted(stay.request.occupants, "person", "people")),
      platform(one_line(stay.request.platform)), reference(one_line(stay.request.reference.value_or(""))),
      external_id(one_line(stay.request.external_id)) {}

std::string stay_words::dates() const {
  return "from " + check_in + " to " + check_out + (nights.empty() ? "" : " (" + nights + ")");
}

std::string stay_words::origin() const {
  return platform + (reference.empty() ? "" : ", reference " + reference);
}

std::string warnings_text(std::span<const domain::stay_warning> warnings, const stay_words& stay) {
  if (warnings.empty()) return {};
  std::string text = " Please check this stay:";
  for (const auto warning : warnings) text += " " + warning_text(warning, stay);
  return text;
}

} // namespace roost::mail
