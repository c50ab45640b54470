#include "domain/date.hpp"
#include "http/management/management_access.hpp"
#include "http/pages/pages.hpp"
#include "http/pages/usage_chart.hpp"
#include "http/pages/usage_period.hpp"

namespace roost::http {

namespace {

page_data text_list(const std::vector<std::string>& texts) {
  page_data list{page_data::type::list};
  for (const auto& text : texts) list.push_back(page_data{"text", text});
  return list;
}

/// `1234567` as `1 234 567`, with narrow spaces that no line breaks at.
std::string grouped(std::int64_t number) {
  auto text = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
    text.insert(static_cast<std::size_t>(at), "\u202f");
  return text;
}

std::vector<std::string> numbers_of(const domain::ai_usage_totals& used) {
  const auto& tokens = used.tokens;
  return {grouped(used.calls),         grouped(tokens.input),
          grouped(tokens.output),      grouped(tokens.cache_creation),
          grouped(tokens.cache_read),  grouped(tokens.total()),
          domain::to_string(used.cost)};
}

std::string price_text(const domain::ai_price& price) {
  const auto shown = [](const std::optional<domain::decimal>& rate) {
    return rate ? domain::to_string(*rate) : std::string("?");
  };
  return shown(price.input) + " / " + shown(price.output);
}

page_data feature_list(const std::optional<domain::ai_feature>& chosen) {
  page_data list{page_data::type::list};
  for (const auto name : domain::ai_feature_names) {
    const auto feature = *domain::parse_name<domain::ai_feature>(name);
    page_data entry;
    entry.set("value", std::string(name));
    entry.set("text", feature_title(feature));
    entry.set("chosen", chosen == feature);
    list.push_back(entry);
  }
  return list;
}

page_data shortcut_list(domain::date today) {
  page_data list{page_data::type::list};
  for (const auto& [text, period] : usage_shortcuts(today)) {
    page_data entry;
    entry.set("text", text);
    entry.set("query", period.query());
    list.push_back(entry);
  }
  return list;
}

page_data share_list(const domain::ai_usage_summary& summary) {
  page_data list{page_data::type::list};
  for (const auto& share : summary.breakdown) {
    auto numbers = numbers_of(share.used);
    numbers.push_back(price_text(share.price));
    page_data entry;
    entry.set("feature", feature_title(share.feature));
    entry.set("model", share.model);
    entry.set("numbers", text_list(numbers));
    list.push_back(entry);
  }
  return list;
}

page_data legend_of(const usage_steps& steps) {
  page_data list{page_data::type::list};
  for (const auto feature : steps.features) {
    page_data entry;
    entry.set("series", std::to_string(series_of(feature)));
    entry.set("text", feature_title(feature));
    list.push_back(entry);
  }
  return list;
}

/// The newest first, without those that cost nothing.
page_data step_list(const usage_steps& of) {
  page_data list{page_data::type::list};
  for (auto step = of.steps.rbegin(); step != of.steps.rend(); ++step) {
    if (step->costs.empty()) continue;
    std::vector<std::string> costs;
    for (const auto feature : of.features) {
      const auto found = step->costs.find(feature);
      costs.push_back(found == step->costs.end() ? "" : domain::to_string(found->second));
    }
    costs.push_back(domain::to_string(step->cost));
    page_data entry;
    entry.set("name", step->name);
    entry.set("costs", text_list(costs));
    list.push_back(entry);
  }
  return list;
}

/// What was found in a period.
struct usage_found {
  domain::ai_usage_summary summary;
  std::vector<domain::ai_usage_day> days;
};

page_data usage_values(const usage_period& period, domain::date today, const usage_found& found) {
  const auto steps = steps_of(period, found.days);
  const bool some = found.summary.totals.calls > 0;
  page_data values;
  values.set("from", domain::to_string(period.from));
  values.set("to", domain::to_string(period.to));
  values.set("query", period.query());
  values.set("features", feature_list(period.feature));
  values.set("shortcuts", shortcut_list(today));
  values.set("none", !some);
  values.set("some", some);
  values.set("currency", std::string(domain::ai_usage_currency));
  values.set("step", period.by_months() ? "month" : "day");
  values.set("step_title", period.by_months() ? "Month" : "Day");
  values.set("calls", domain::counted(found.summary.totals.calls, "call", "calls"));
  values.set("cost", domain::to_string(found.summary.totals.cost));
  values.set("chart", usage_chart(steps));
  values.set("legend", legend_of(steps));
  values.set("shares", share_list(found.summary));
  values.set("totals", text_list(numbers_of(found.summary.totals)));
  values.set("steps", step_list(steps));
  return values;
}

/// The visitor, who must be allowed to see the ledger; nothing when nobody is signed in.
asio::awaitable<std::optional<page_visitor>> reader_of(const pages_api& api, const request& req) {
  auto visitor = co_await api.visitor_of(req);
  if (visitor && !has_permission(api.services.roles, visitor->user->role, usage_permission))
    throw forbidden("Your role does not allow you to see the use of AI.");
  co_return visitor;
}

actors::usage_selection selection_for(const page_visitor& visitor, const usage_period& period) {
  return {visitor.user->account_id, period.filter()};
}

asio::awaitable<response> show_usage(const pages_api& api, request& req) {
  const auto visitor = co_await reader_of(api, req);
  if (!visitor) co_return api.to_sign_in();
  const auto today = domain::day_of(api.services.now());
  page_frame frame;
  frame.title = "AI usage";
  frame.wide = true;
  frame.links = api.links_of(*visitor, "/account/ai-usage");
  auto period = usual_usage_period(today);
  try {
    period = read_usage_period(req.query, today);
  } catch (const error& refused) {
    frame.error = refused.message;
  }
  const auto selection = selection_for(*visitor, period);
  auto summary = co_await api.services.usage.summary(selection);
  auto days = co_await api.services.usage.days(selection);
  const usage_found found{std::move(summary), std::move(days)};
  const unsigned status = frame.error.empty() ? 200 : 400;
  co_return api.show(req, status, page_template::ai_usage, std::move(frame),
                     usage_values(period, today, found));
}

asio::awaitable<response> download_usage(const pages_api& api, request& req) {
  const auto visitor = co_await reader_of(api, req);
  if (!visitor) co_return api.to_sign_in();
  const auto period = read_usage_period(req.query, domain::day_of(api.services.now()));
  const auto selection = selection_for(*visitor, period);
  const auto days = co_await api.services.usage.days(selection);
  response answer;
  answer.content_type = "text/csv; charset=utf-8";
  answer.fields = {{"Content-Disposition", "attachment; filename=\"ai-usage-" +
                                               domain::to_string(period.from) + "-to-" +
                                               domain::to_string(period.to) + ".csv\""},
                   {"Cache-Control", "no-store"},
                   {"X-Content-Type-Options", "nosniff"}};
  answer.body = usage_csv(days);
  co_return answer;
}

} // namespace

std::vector<route> usage_pages(const management_services& services) {
  const pages_api api{services};
  using enum body_policy;
  std::vector<route> routes{
      {"GET",
       "/account/ai-usage",
       none,
       {page_checks(services).checks, "a session with account_settings.module"},
       with(api, show_usage)},
      {"GET",
       "/account/ai-usage.csv",
       none,
       {page_checks(services).checks, "a session with account_settings.module"},
       with(api, download_usage)},
  };
  answer_as_pages(api, routes);
  return routes;
}

} // namespace roost::http
