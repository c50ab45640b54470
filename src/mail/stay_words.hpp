#pragma once

#include "domain/booking_terms.hpp"
#include "mail/stay_facts.hpp"

#include <span>
#include <string>

/// Stays as notifications and mails describe them. This header is for the .cpp files of notices.
namespace roost::mail {

/// A stay in words for a landlord. Text from platforms and guests is reduced to one line.
struct stay_words {
  explicit stay_words(const stay_facts& stay);

  /// `from 1 February 2027 to 1 July 2027 (150 nights)`
  std::string dates() const;
  /// `marketplace-a, reference 5f0c…`
  std::string origin() const;

  std::string unit;                ///< `Room 2, Madrid`, or `Unknown unit` if none is linked
  std::string guest;               ///< first and last name
  std::string check_in, check_out; ///< `1 February 2027`
  std::string nights;              ///< `150 nights`; empty if check-out is not after check-in
  std::string people;              ///< `1 person`
  std::string platform;            ///< empty if the stay was booked by hand, without a platform
  std::string reference;           ///< the platform's; may be empty
  std::string external_id;
};

/// Returns a sentence for each warning, after an introduction; empty if there are none.
std::string warnings_text(std::span<const domain::stay_warning> warnings, const stay_words& stay);

} // namespace roost::mail
