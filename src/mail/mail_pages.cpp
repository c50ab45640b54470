#include "mail/mail_pages.hpp"

#include "domain/text.hpp"

#include <boost/algorithm/string/replace.hpp>

#include <kainjow/mustache.hpp>
#include <stdexcept>

namespace roost::mail {

namespace {

using kainjow::mustache::data;
using kainjow::mustache::mustache;

constexpr const char* text_page = R"({{#paragraphs}}
{{{text}}}

{{/paragraphs}}
Roost
)";

constexpr const char* html_page = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{title}}</title>
</head>
<body style="margin:0;padding:24px;background:#ffffff;color:#222222">
<div style="max-width:600px;margin:0 auto;font-family:Arial,sans-serif;font-size:16px;line-height:1.5">
<p>{{greeting}}</p>
<p>{{summary}}</p>
{{#code}}
<p style="margin:24px 0;font-family:Consolas,Menlo,monospace;font-size:36px;line-height:1.2;letter-spacing:6px">{{code}}</p>
{{/code}}
{{#link}}
<p style="margin:24px 0"><a href="{{link}}" style="display:inline-block;padding:12px 24px;background:#1f4e79;color:#ffffff;text-decoration:none;border-radius:4px">{{link_text}}</a></p>
<p style="color:#666666">If the button does not work, open this address:<br>{{link}}</p>
{{/link}}
{{#has_facts}}
<table cellpadding="0" cellspacing="0" style="border-collapse:collapse;margin:16px 0">
{{#facts}}
<tr>
<td style="padding:4px 24px 4px 0;color:#666666;vertical-align:top">{{label}}</td>
<td style="padding:4px 0;vertical-align:top">{{value}}</td>
</tr>
{{/facts}}
</table>
{{/has_facts}}
{{#reason}}
<p><strong>Why</strong><br>{{reason}}</p>
{{/reason}}
{{#advice}}
<p><strong>What you can do</strong><br>{{advice}}</p>
{{/advice}}
<p>{{reminder}}</p>
<p style="color:#666666">Roost</p>
</div>
</body>
</html>
)";

/// Escapes HTML without `&apos;`, which HTML 4 lacks and some mail clients show literally.
std::string escaped_for_mail(const std::string& text) {
  return boost::replace_all_copy(kainjow::mustache::html_escape(text), "&apos;", "&#39;");
}

mustache parsed(const char* page) {
  mustache result{page};
  if (!result.is_valid()) throw std::logic_error("mail page: " + result.error_message());
  result.set_custom_escape(&escaped_for_mail);
  return result;
}

/// Returns the paragraphs of the text form.
std::vector<std::string> paragraphs_of(const mail_content& content) {
  std::vector<std::string> paragraphs;
  const auto add = [&](std::string_view prefix, const std::string& text) {
    if (!text.empty()) paragraphs.push_back(std::string(prefix) + text);
  };
  add("", content.greeting);
  add("", content.summary);
  add("    ", content.code);
  add("", content.link);
  std::string facts;
  for (const auto& [label, value] : content.facts)
    facts.append(facts.empty() ? "" : "\n").append(label).append(": ").append(value);
  add("", facts);
  add("Why: ", content.reason);
  add("What you can do: ", content.advice);
  add("", content.reminder);
  return paragraphs;
}

data values_of(const mail_content& content) {
  data paragraphs{data::type::list};
  for (const auto& text : paragraphs_of(content)) paragraphs.push_back(data{"text", text});
  data facts{data::type::list};
  for (const auto& [label, value] : content.facts) {
    data fact;
    fact.set("label", label);
    fact.set("value", value);
    facts.push_back(fact);
  }
  data values;
  values.set("paragraphs", paragraphs);
  values.set("title", content.title);
  values.set("greeting", content.greeting);
  values.set("summary", content.summary);
  values.set("has_facts", !content.facts.empty());
  values.set("facts", facts);
  const auto set_unless_empty = [&values](const char* name, const std::string& text) {
    if (!text.empty()) values.set(name, text);
  };
  set_unless_empty("code", content.code);
  set_unless_empty("link", content.link);
  set_unless_empty("link_text", content.link_text);
  set_unless_empty("reason", content.reason);
  set_unless_empty("advice", content.advice);
  values.set("reminder", content.reminder);
  return values;
}

} // namespace

void mail_content::greet(std::string_view name) {
  if (const auto line = domain::one_line(name); !line.empty()) greeting = "Hello " + line + ",";
}

void mail_content::add(std::string label, const std::string& value) {
  if (!value.empty()) facts.push_back({std::move(label), value});
}

domain::outgoing_mail render_mail(const mail_content& content, const domain::uuid& id, domain::timestamp now,
                                  std::string recipient, std::string subject) {
  // Parsed once per thread, because parsing is slow and rendering is not const.
  thread_local mustache text = parsed(text_page), html = parsed(html_page);
  const auto values = values_of(content);
  return {.id = id,
          .to = std::move(recipient),
          .subject = std::move(subject),
          .text = text.render(values),
          .html = html.render(values),
          .created_at = now};
}

} // namespace roost::mail
