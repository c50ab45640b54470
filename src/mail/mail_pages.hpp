#pragma once

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

std::string mail_text(const mail_content& content);

/// A whole HTML page with inline styles that loads nothing; every value is escaped.
std::string mail_html(const mail_content& content);

} // namespace roost::mail
