#include "portfolio/aggregates.hpp"
#include "portfolio/values.hpp"

namespace roost::portfolio {

namespace {

/// The features whose use is counted.
constexpr choices<std::string_view, 6> features{
    {{"landlord_chat", "landlord_chat"},
     {"utility_bill_extraction", "utility_bill_extraction"},
     {"booking_communication_summary", "booking_communication_summary"},
     {"faq_generation", "faq_generation"},
     {"ticket_priority_analysis", "ticket_priority_analysis"},
     {"cashflow_invoice_analysis", "cashflow_invoice_analysis"}}};

bool read_feature(reader& in, std::string& to) {
  std::string_view feature;
  if (!read_choice(in, feature, features)) return false;
  to = feature;
  return true;
}

/// A row that was read over the API names its account: it must be the one that it stands in. One whose own id
/// is bad has its problem already.
bool read_own_account(reader& in, const domain::uuid& account) {
  domain::uuid id{};
  if (!read_id(in, id)) return false;
  return account.is_nil() || id == account || in.refuse("must be the account that the row stands in");
}

bool check_total(reader& in, const domain::ai_usage_record& of, const std::optional<std::int64_t>& total) {
  const auto sum =
      of.input_tokens + of.output_tokens + of.cache_creation_input_tokens + of.cache_read_input_tokens;
  return !total || *total == sum ||
         in.refuse_member("totalTokens", "must be the sum of the four counters, " + std::to_string(sum));
}

} // namespace

bool read_usage_record(reader& in, file_scope& file, const domain::uuid& account,
                       domain::ai_usage_record& to) {
  std::optional<std::int64_t> total;
  const auto maybe_text = [&](std::optional<std::string>& text) {
    return in.nullable(text, [&](std::string& value) { return read_text(in, value); });
  };
  const auto read_object = [&](std::string& json) { return read_json_object(in, json); };
  const bool good = in.object({
      required("id", [&] { return read_id(in, to.id) && file.unique.usage_records.claim(in, to.id); }),
      optional("accountId", [&] { return read_own_account(in, account); }),
      required("feature", [&] { return read_feature(in, to.feature); }),
      required("provider", [&] { return read_text(in, to.provider); }),
      required("model", [&] { return read_text(in, to.model); }),
      optional("inputTokens", [&] { return read_count(in, to.input_tokens); }),
      optional("outputTokens", [&] { return read_count(in, to.output_tokens); }),
      optional("cacheCreationInputTokens", [&] { return read_count(in, to.cache_creation_input_tokens); }),
      optional("cacheReadInputTokens", [&] { return read_count(in, to.cache_read_input_tokens); }),
      optional("totalTokens", [&] { return read_count(in, total.emplace(0)); }),
      optional("cost", [&] { return read_cost(in, to.cost); }),
      optional("currency", [&] { return read_currency(in, to.currency); }),
      optional("pricingSnapshot", [&] { return read_json_object(in, to.pricing_snapshot); }),
      optional("userId", [&] { return maybe_text(to.user_id); }),
      optional("source", [&] { return maybe_text(to.source); }),
      optional("conversationId", [&] { return maybe_text(to.conversation_id); }),
      optional("referenceId", [&] { return maybe_text(to.reference_id); }),
      optional("metadata", [&] { return in.nullable(to.metadata, read_object); }),
      required("createdAt", [&] { return read_moment(in, to.created_at); }),
  });
  return good && check_total(in, to, total);
}

} // namespace roost::portfolio
