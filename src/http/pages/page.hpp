#pragma once

#include "http/protocol/error.hpp"
#include "http/protocol/message.hpp"

#include <kainjow/mustache.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace roost::http {

/// What a page's own template shows.
using page_data = kainjow::mustache::data;

/// The templates of the pages, which stand in src/http/pages/templates.
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

/// What all pages have around what is their own.
struct page_frame {
  std::string base; ///< before every path: the path of base_url
  std::string title;
  std::string form;             ///< the value of form_guard for the page's forms
  std::string notice, error;    ///< shown above the content; empty: none
  std::vector<page_link> links; ///< with them a button to sign out; empty: nobody is signed in
  bool counts_down = false;     ///< loads the script for that
  bool wide = false;            ///< for tables
  /// Where a form may lead besides this site, as sources of a Content-Security-Policy: browsers hold the
  /// redirection that answers a form to it, too.
  std::string form_targets;
};

/// A whole page (HTML, UTF-8). Templates see the frame's base, form and error beside `values`. Nothing of
/// `values` can become markup, and the page loads nothing but its own style and script.
response page(unsigned status, page_template which, const page_frame& frame, page_data values = {});

/// 303: the browser gets the page at `path` (RFC 9110, 15.4.4), so that reloading it sends nothing twice.
response go_to(std::string_view base, std::string_view path);

/// A refusal as a page.
response refusal_page(std::string_view base, const error& refusal);

} // namespace roost::http
