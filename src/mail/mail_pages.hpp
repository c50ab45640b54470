#pragma once

#include "domain/booking.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace roost::mail {

struct labelled_fact {
  std::string label, value;
};

/// What a mail says, in whatever form it says it. What is empty is left out.
struct mail_content {
  std::string title; ///< of the HTML page
  std::string greeting = "Hello,";
  std::string summary;
  std::string code; ///< something short to type elsewhere
  std::string link; ///< an address to open
  std::string link_text;
  std::vector<labelled_fact> facts;
  std::string reason, advice, reminder;

  /// By name, if there is one.
  void greet(std::string_view name);

  /// Leaves out what there is nothing of.
  void add(std::string label, const std::string& value);
};

/// The mail to one recipient: as text, and as a whole HTML page with inline styles that loads nothing and in
/// which every value is escaped.
domain::outgoing_mail mail_of(const mail_content& content, const domain::uuid& id, domain::timestamp now,
                              std::string recipient, std::string subject);

} // namespace roost::mail
