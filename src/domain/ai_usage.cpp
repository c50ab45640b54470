#include "domain/ai_usage.hpp"

namespace roost::domain {

ai_usage_totals& ai_usage_totals::operator+=(const ai_usage_totals& more) {
  calls += more.calls;
  tokens.input += more.tokens.input;
  tokens.output += more.tokens.output;
  tokens.cache_creation += more.tokens.cache_creation;
  tokens.cache_read += more.tokens.cache_read;
  cost += more.cost;
  return *this;
}

} // namespace roost::domain
