#include "http/pages/usage_csv.hpp"

#include <boost/algorithm/string/replace.hpp>

namespace roost::http {

namespace {

std::string quoted(std::string text) {
  if (!text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos)
    text.insert(0, 1, '\'');
  return '"' + boost::replace_all_copy(text, "\"", "\"\"") + '"';
}

} // namespace

std::string usage_csv(const std::vector<domain::ai_usage_day>& days) {
  std::string text = "day,feature,model,calls,inputTokens,outputTokens,cacheCreationInputTokens,"
                     "cacheReadInputTokens,totalTokens,cost,currency\r\n";
  for (const auto& day : days) {
    const auto& tokens = day.used.tokens;
    text += domain::to_string(day.day) + ',' + std::string(domain::to_string(day.feature)) + ',' +
            quoted(day.model);
    for (const auto number : {day.used.calls, tokens.input, tokens.output, tokens.cache_creation,
                              tokens.cache_read, tokens.total()})
      text += ',' + std::to_string(number);
    text += ',' + domain::to_string(day.used.cost) + ',' + std::string(domain::ai_usage_currency) + "\r\n";
  }
  return text;
}

} // namespace roost::http
