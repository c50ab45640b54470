#include "http/pages/page.hpp"

#include "http/protocol/representation.hpp"

#include <array>
#include <map>
#include <stdexcept>

namespace roost::embedded {
extern const std::string_view page_layout, page_sign_in, page_code, page_forgot_password, page_reset_password,
    page_account, page_ai_usage, page_refusal, page_consent, page_connector_refusal, page_style,
    page_countdown, page_icon;
} // namespace roost::embedded

namespace roost::http {

namespace {

using kainjow::mustache::mustache;

std::string security_policy(const std::string& form_targets) {
  return "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; frame-ancestors 'none'; "
         "base-uri 'none'; form-action 'self'" +
         (form_targets.empty() ? "" : ' ' + form_targets);
}

mustache parsed_page(std::string_view text) {
  mustache result{std::string(text)};
  if (!result.is_valid()) throw std::logic_error("page: " + result.error_message());
  return result;
}

/// Returns a template, which each thread parses once, because rendering is not const.
mustache& template_of(page_template name) {
  // In the order of page_template.
  thread_local std::array parsed{
      parsed_page(embedded::page_sign_in),          parsed_page(embedded::page_code),
      parsed_page(embedded::page_forgot_password),  parsed_page(embedded::page_reset_password),
      parsed_page(embedded::page_account),          parsed_page(embedded::page_ai_usage),
      parsed_page(embedded::page_refusal),          parsed_page(embedded::page_consent),
      parsed_page(embedded::page_connector_refusal)};
  return parsed.at(static_cast<std::size_t>(name));
}

/// Sets a text unless it is empty: templates test with a section whether it is there.
void set_text(page_data& values, const char* name, const std::string& text) {
  if (!text.empty()) values.set(name, text);
}

/// Adds the header fields of every page and redirect. The Referer is limited to this site and not switched
/// off, because browsers would then omit the Origin of forms as well.
void add_page_fields(response& to, const std::string& form_targets = {}) {
  to.fields.insert(to.fields.end(), {{"Cache-Control", "no-store"},
                                     {"Content-Security-Policy", security_policy(form_targets)},
                                     {"Cross-Origin-Opener-Policy", "same-origin"},
                                     {"X-Frame-Options", "DENY"},
                                     {"Referrer-Policy", "same-origin"}});
}

std::string title_of(unsigned status) {
  static const std::map<unsigned, const char*> titles{{403, "That is not allowed"},
                                                      {404, "Page not found"},
                                                      {429, "Please wait a moment"},
                                                      {503, "The service is busy"}};
  if (const auto title = titles.find(status); title != titles.end()) return title->second;
  return status >= 500 ? "Something went wrong" : "That did not work";
}

std::string shown_text(const error& refusal) {
  if (refusal.status == 429)
    return "Too many requests came from your network. Please try again in " +
           std::to_string(refusal.retry_after.value_or(std::chrono::seconds{60}).count()) + " seconds.";
  if (refusal.status == 500) return "The error is on our side. Please try again.";
  return refusal.message;
}

} // namespace

page_data page_row(std::initializer_list<std::pair<std::string, page_data>> values) {
  page_data row;
  for (const auto& [name, value] : values) row.set(name, value);
  return row;
}

response page(unsigned status, page_template name, const page_frame& frame, page_data values) {
  thread_local auto layout = parsed_page(embedded::page_layout);
  values.set("base", frame.base);
  values.set("form", frame.form);
  set_text(values, "error", frame.error);
  const auto body = template_of(name).render(values);

  const auto link_row = [](const page_link& link) {
    return page_row({{"path", link.path}, {"text", link.text}, {"current", link.is_current}});
  };
  auto around = page_row({{"base", frame.base},
                          {"form", frame.form},
                          {"title", frame.title},
                          {"counts_down", frame.counts_down},
                          {"wide", frame.wide},
                          {"navigation", !frame.links.empty()},
                          {"links", page_rows(frame.links, link_row)},
                          {"body", body}});
  set_text(around, "notice", frame.notice);
  set_text(around, "error", frame.error);

  response result{
      .status = status, .content_type = "text/html; charset=utf-8", .body = layout.render(around)};
  add_page_fields(result, frame.form_targets);
  return result;
}

response go_to(std::string_view base, std::string_view path) {
  auto result = empty(303);
  result.fields.emplace_back("Location", std::string(base).append(path));
  add_page_fields(result);
  return result;
}

response refusal_page(std::string_view base, const error& refusal) {
  auto result = page(refusal.status, page_template::refusal,
                     {.base = std::string(base), .title = title_of(refusal.status)},
                     page_row({{"text", shown_text(refusal)}}));
  if (refusal.retry_after)
    result.fields.emplace_back("Retry-After", std::to_string(refusal.retry_after->count()));
  return result;
}

std::vector<route> page_assets() {
  const auto asset = [](std::string pattern, std::string_view content_type, std::string_view text) {
    return document_route(
        std::move(pattern),
        {.content_type = content_type, .text = std::string(text), .fields = {{"Cache-Control", "no-cache"}}});
  };
  return {asset("/pages/style.css", "text/css; charset=utf-8", embedded::page_style),
          asset("/pages/countdown.js", "text/javascript; charset=utf-8", embedded::page_countdown),
          asset("/pages/icon.svg", "image/svg+xml", embedded::page_icon)};
}

} // namespace roost::http
