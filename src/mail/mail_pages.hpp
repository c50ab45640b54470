#pragma once

#include "domain/booking.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace roost::mail {

/// A row of a mail's table.
struct labeled_fact {
  std::string label, value;
};

/// The content of a mail, independent of its form. Empty parts are left out.
struct mail_content {
  std::string title; ///< of the HTML page
  std::string greeting = "Hello,";
  std::string summary;
  std::string code; ///< a short code to copy
  std::string link; ///< a URL to open
  std::string link_text;
  std::vector<labeled_fact> facts;
  std::string reason, advice, reminder;

  /// Greets by name, unless it is empty.
  void greet(std::string_view name);

  /// Adds a fact, unless its value is empty.
  void add(std::string label, const std::string& value);
};

/// Renders the mail to one recipient: as text, and as a complete HTML page with inline styles that loads
/// nothing and escapes all values.
domain::outgoing_mail render_mail(const mail_content& content, const domain::uuid& id, domain::timestamp now,
                                  std::string recipient, std::string subject);

} // namespace roost::mail
