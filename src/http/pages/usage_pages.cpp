#include "domain/date.hpp"
#include "http/pages/pages_api.hpp"
#include "http/pages/usage_report.hpp"

namespace roost::http {

namespace {

page_data text_list(const std::vector<std::string>& texts) {
  return page_rows(texts, [](const auto& text) { return page_data{"text", text}; });
}

/// Formats `1234567` as `1 234 567`, with narrow no-break spaces.
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
  const auto text_of = [](const std::optional<domain::decimal>& rate) {
    return rate ? domain::to_string(*rate) : std::string("?");
  };
  return text_of(price.input) + " / " + text_of(price.output);
}

page_data feature_list(const std::optional<domain::ai_feature>& chosen) {
  return page_rows(domain::ai_feature_names, [&](std::string_view name) {
    const auto feature = *domain::parse_name<domain::ai_feature>(name);
    return page_row(
        {{"value", std::string(name)}, {"text", feature_title(feature)}, {"chosen", chosen == feature}});
  });
}

page_data shortcut_list(domain::date today) {
  return page_rows(usage_shortcuts(today), [](const usage_shortcut& each) {
    return page_row({{"text", each.text}, {"query", each.period.query()}});
  });
}

page_data share_list(const domain::ai_usage_summary& summary) {
  return page_rows(summary.breakdown, [](const domain::ai_usage_share& share) {
    auto numbers = numbers_of(share.used);
    numbers.push_back(price_text(share.price));
    return page_row(
        {{"feature", feature_title(share.feature)}, {"model", share.model}, {"numbers", text_list(numbers)}});
  });
}

page_data legend_of(const usage_steps& steps) {
  return page_rows(steps.features, [](domain::ai_feature feature) {
    return page_row({{"series", std::to_string(series_of(feature))}, {"text", feature_title(feature)}});
  });
}

/// Returns the steps with costs, the newest first.
page_data step_list(const usage_steps& all) {
  page_data list{page_data::type::list};
  for (auto step = all.steps.rbegin(); step != all.steps.rend(); ++step) {
    if (step->costs.empty()) continue;
    std::vector<std::string> costs;
    for (const auto feature : all.features) {
      const auto cost = step->costs.find(feature);
      costs.push_back(cost == step->costs.end() ? "" : domain::to_string(cost->second));
    }
    costs.push_back(domain::to_string(step->cost));
    list.push_back(page_row({{"name", step->name}, {"costs", text_list(costs)}}));
  }
  return list;
}

page_data usage_values(const usage_period& period, domain::date today,
                       const domain::ai_usage_summary& summary,
                       const std::vector<domain::ai_usage_day>& days) {
  const auto steps = steps_of(period, days);
  const auto& totals = summary.totals;
  return page_row({{"from", domain::to_string(period.from)},
                   {"to", domain::to_string(period.to)},
                   {"query", period.query()},
                   {"features", feature_list(period.feature)},
                   {"shortcuts", shortcut_list(today)},
                   {"none", totals.calls <= 0},
                   {"some", totals.calls > 0},
                   {"currency", std::string(domain::ai_usage_currency)},
                   {"step", period.by_months() ? "month" : "day"},
                   {"step_title", period.by_months() ? "Month" : "Day"},
                   {"calls", domain::counted(totals.calls, "call", "calls")},
                   {"cost", domain::to_string(totals.cost)},
                   {"chart", usage_chart(steps)},
                   {"legend", legend_of(steps)},
                   {"shares", share_list(summary)},
                   {"totals", text_list(numbers_of(totals))},
                   {"steps", step_list(steps)}});
}

/// Returns the visitor; nullopt if the visitor is not signed in. Throws forbidden() if the visitor may not
/// see the ledger.
asio::awaitable<std::optional<caller>> reader_of(const pages_api& api, const request& req) {
  auto visitor = co_await api.visitor_of(req);
  if (visitor && !has_permission(api.services.roles, visitor->user->role, usage_permission))
    throw forbidden("Your role does not allow you to see AI usage.");
  co_return visitor;
}

asio::awaitable<response> show_usage(const pages_api& api, request& req) {
  const auto visitor = co_await reader_of(api, req);
  if (!visitor) co_return api.to_sign_in();
  const auto today = domain::day_of(api.services.now());
  page_frame frame{.title = "AI usage", .links = api.links_of(*visitor, "/account/ai-usage"), .wide = true};
  auto period = default_usage_period(today);
  try {
    period = read_usage_period(req.query, today);
  } catch (const error& refusal) {
    frame.error = refusal.message;
  }
  const actors::usage_selection selection{visitor->user->account_id, period.filter()};
  const auto summary = co_await api.services.usage.summary(selection);
  const auto days = co_await api.services.usage.days(selection);
  const unsigned status = frame.error.empty() ? 200 : 400;
  co_return api.show(req, status, page_template::ai_usage, std::move(frame),
                     usage_values(period, today, summary, days));
}

asio::awaitable<response> download_usage(const pages_api& api, request& req) {
  const auto visitor = co_await reader_of(api, req);
  if (!visitor) co_return api.to_sign_in();
  const auto period = read_usage_period(req.query, domain::day_of(api.services.now()));
  const actors::usage_selection selection{visitor->user->account_id, period.filter()};
  const auto days = co_await api.services.usage.days(selection);
  response result;
  result.content_type = "text/csv; charset=utf-8";
  result.fields = {{"Content-Disposition", "attachment; filename=\"ai-usage-" +
                                               domain::to_string(period.from) + "-to-" +
                                               domain::to_string(period.to) + ".csv\""},
                   {"Cache-Control", "no-store"}};
  result.body = usage_csv(days);
  co_return result;
}

} // namespace

std::vector<route> usage_pages(const management_services& services) {
  const pages_api api{services};
  const auto checks = page_checks(services, "a session with account_settings.module");
  std::vector<route> routes{
      {"GET", "/account/ai-usage", body_policy::none, checks, with(api, show_usage)},
      {"GET", "/account/ai-usage.csv", body_policy::none, checks, with(api, download_usage)},
  };
  respond_as_pages(api, routes);
  return routes;
}

} // namespace roost::http
