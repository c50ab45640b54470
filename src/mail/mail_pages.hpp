#pragma once

#include "domain/booking.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace roost::mail {

struct labelled_fact {
  std::string label, value;
};

/// What a mail to a landlord says, in whatever form it says it.
struct mail_content {
  std::string title; ///< of the HTML page
  std::string greeting = "Hello,";
  std::string summary;
  std::vector<labelled_fact> facts;
  std::string reason, advice, reminder;

  /// By name, if there is one.
  void greet(std::string_view company_name);

  /// Leaves out what there is nothing of.
  void add(std::string label, const std::string& value);
};

/// The mail to one recipient: as text, and as a whole HTML page with inline styles that loads nothing and in
/// which every value is escaped.
domain::outgoing_mail mail_of(const mail_content& content, const domain::uuid& id, domain::timestamp now,
                              std::string recipient, std::string subject);

} // namespace roost::mail
