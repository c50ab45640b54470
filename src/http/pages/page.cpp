#include "http/pages/page.hpp"

#include <array>
#include <stdexcept>

namespace roost::embedded {
extern const std::string_view page_layout, page_sign_in, page_code, page_forgot_password, page_reset_password,
    page_account, page_ai_usage, page_refusal, page_consent, page_connector_refusal;
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

/// Parsed once in each thread: rendering is not const.
mustache& template_of(page_template which) {
  // In the order of page_template.
  thread_local std::array parsed{
      parsed_page(embedded::page_sign_in),          parsed_page(embedded::page_code),
      parsed_page(embedded::page_forgot_password),  parsed_page(embedded::page_reset_password),
      parsed_page(embedded::page_account),          parsed_page(embedded::page_ai_usage),
      parsed_page(embedded::page_refusal),          parsed_page(embedded::page_consent),
      parsed_page(embedded::page_connector_refusal)};
  return parsed.at(static_cast<std::size_t>(which));
}

void add_navigation(page_data& values, const page_frame& frame) {
  page_data links{page_data::type::list};
  for (const auto& link : frame.links) {
    page_data entry;
    entry.set("path", link.path);
    entry.set("text", link.text);
    entry.set("current", link.is_current);
    links.push_back(entry);
  }
  values.set("navigation", !frame.links.empty());
  values.set("links", links);
}

/// What templates ask for with a section must be missing where it is empty.
void set_text(page_data& values, const char* name, const std::string& text) {
  if (!text.empty()) values.set(name, text);
}

/// What every page and redirection is sent with. A Referer stays within the site; without any, browsers would
/// not tell the origin of forms either.
void add_page_fields(response& answer, const std::string& form_targets = {}) {
  answer.fields.insert(answer.fields.end(), {{"Cache-Control", "no-store"},
                                             {"Content-Security-Policy", security_policy(form_targets)},
                                             {"X-Frame-Options", "DENY"},
                                             {"Referrer-Policy", "same-origin"},
                                             {"X-Content-Type-Options", "nosniff"}});
}

std::string title_of(unsigned status) {
  switch (status) {
  case 403:
    return "That is not possible";
  case 404:
    return "There is no such page";
  case 429:
    return "Please wait a moment";
  case 503:
    return "We are busy";
  default:
    return status >= 500 ? "Something went wrong" : "That did not work";
  }
}

std::string text_of(const error& refusal) {
  if (refusal.status == 429)
    return "Too many requests came from your network. Please try again in " +
           std::to_string(refusal.retry_after.value_or(std::chrono::seconds{60}).count()) + " seconds.";
  if (refusal.status == 500) return "That was our mistake. Please try again.";
  return refusal.message;
}

} // namespace

response page(unsigned status, page_template which, const page_frame& frame, page_data values) {
  thread_local auto layout = parsed_page(embedded::page_layout);
  values.set("base", frame.base);
  values.set("form", frame.form);
  set_text(values, "error", frame.error);
  const auto body = template_of(which).render(values);

  page_data around;
  around.set("base", frame.base);
  around.set("form", frame.form);
  around.set("title", frame.title);
  around.set("counts_down", frame.counts_down);
  around.set("wide", frame.wide);
  set_text(around, "notice", frame.notice);
  set_text(around, "error", frame.error);
  add_navigation(around, frame);
  around.set("body", body);

  response answer;
  answer.status = status;
  answer.content_type = "text/html; charset=utf-8";
  answer.body = layout.render(around);
  add_page_fields(answer, frame.form_targets);
  return answer;
}

response go_to(std::string_view base, std::string_view path) {
  auto answer = empty(303);
  answer.fields.emplace_back("Location", std::string(base).append(path));
  add_page_fields(answer);
  return answer;
}

response refusal_page(std::string_view base, const error& refusal) {
  page_frame frame;
  frame.base = base;
  frame.title = title_of(refusal.status);
  page_data values;
  values.set("text", text_of(refusal));
  auto answer = page(refusal.status, page_template::refusal, frame, std::move(values));
  if (refusal.retry_after)
    answer.fields.emplace_back("Retry-After", std::to_string(refusal.retry_after->count()));
  return answer;
}

} // namespace roost::http
