#pragma once

#include <string>
#include <vector>

namespace roost::mail {

struct labelled_fact {
  std::string label, value;
};

/// What the mail about a refusal says, in whatever form it says it.
struct refused_mail_content {
  std::string title = "Booking refused"; ///< of the HTML page
  std::string greeting, summary;
  std::vector<labelled_fact> facts;
  std::string reason, advice, reminder;
};

std::string refused_mail_text(const refused_mail_content& content);

/// A whole HTML page with inline styles that loads nothing; every value is escaped.
std::string refused_mail_html(const refused_mail_content& content);

} // namespace roost::mail
