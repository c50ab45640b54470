#include "mail/stay_words.hpp"

#include "domain/date.hpp"
#include "domain/text.hpp"

namespace roost::mail {

namespace {

using domain::counted, domain::one_line, domain::written_out;

std::string unit_of(const stay_facts& stay) {
  const auto name = one_line(stay.unit_name), city = one_line(stay.city);
  if (name.empty()) return "Unknown unit";
  return city.empty() ? name : name + ", " + city;
}

} // namespace

stay_words::stay_words(const stay_facts& stay)
    : unit(unit_of(stay)),
      guest(one_line(stay.request.tenant.first_name + " " + stay.request.tenant.last_name.value_or(""))),
      check_in(written_out(stay.request.check_in)), check_out(written_out(stay.request.check_out)),
      people(counted(stay.request.occupants, "person", "people")), platform(one_line(stay.request.platform)),
      reference(one_line(stay.request.reference.value_or(""))),
      external_id(one_line(stay.request.external_id)) {
  const auto count = (stay.request.check_out - stay.request.check_in).count();
  if (count > 0) nights = counted(count, "night", "nights");
}

std::string stay_words::dates() const {
  return "from " + check_in + " to " + check_out + (nights.empty() ? "" : " (" + nights + ")");
}

std::string stay_words::origin() const {
  return reference.empty() ? platform : platform + ", reference " + reference;
}

} // namespace roost::mail
