#pragma once

#include "mail/notices.hpp"

#include <string>

namespace roost::mail {

/// A stay in words for a landlord. Whatever others wrote is on one line.
struct stay_words {
  explicit stay_words(const stay_facts& stay);

  std::string unit;      ///< `Room 2, Madrid`, or `Unknown unit` when none is linked
  std::string guest;     ///< first and last name
  std::string check_in;  ///< `1 February 2027`
  std::string check_out; ///< likewise
  std::string nights;    ///< `150 nights`; empty when check-out is not after check-in
  std::string people;    ///< `1 person`
  std::string platform;
  std::string reference; ///< the platform's; may be empty
  std::string external_id;

  std::string dates() const;  ///< `from 1 February 2027 to 1 July 2027 (150 nights)`
  std::string origin() const; ///< `marketplace-a, reference 5f0c…`
};

} // namespace roost::mail
