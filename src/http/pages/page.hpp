#pragma once

#include "http/protocol/router.hpp"

#include <initializer_list>
#include <kainjow/mustache.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roost::http {

/// The values of a page's template.
using page_data = kainjow::mustache::data;

/// Returns an object with these values.
page_data page_row(std::initializer_list<std::pair<std::string, page_data>> values);

/// Returns a list with `row(element)` for each element of a range.
template <typename Range, typename Row>
page_data page_rows(const Range& range, Row row) {
  page_data rows{page_data::type::list};
  for (const auto& each : range) rows.push_back(row(each));
  return rows;
}

/// The templates of the pages, in src/http/pages/templates.
enum class page_template {
  sign_in,
  code,
  forgot_password,
  reset_password,
  account,
  ai_usage,
  refusal,
  consent,
  connector_refusal
};

/// A link to a page that the signed-in user may open.
struct page_link {
  std::string path, text;
  bool is_current = false;
};

/// The parts of a page around its template.
struct page_frame {
  std::string base; ///< the prefix of every path: the path of base_url
  std::string title;
  std::string form;             ///< form_guard's value for the page's forms
  std::string notice, error;    ///< shown above the content; empty: none
  std::vector<page_link> links; ///< shown with a button to sign out; empty if the visitor is not signed in
  bool counts_down = false;     ///< loads the countdown script
  bool wide = false;            ///< for tables
  /// The targets that forms may lead to in addition to this site, as sources of a Content-Security-Policy.
  /// Browsers apply it also to the redirect that answers a form.
  std::string form_targets;
};

/// Returns a page (HTML, UTF-8). Its template sees the frame's base, form and error in addition to `values`,
/// which are escaped. The page loads only its own style and script.
response page(unsigned status, page_template name, const page_frame& frame, page_data values = {});

/// Returns a 303 to the page at `path` (RFC 9110, 15.4.4), so that a reload does not submit a form again.
response go_to(std::string_view base, std::string_view path);

response refusal_page(std::string_view base, const error& refusal);

/// Returns the routes of the pages' style, script and icon.
std::vector<route> page_assets();

} // namespace roost::http
