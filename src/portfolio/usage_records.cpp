#include "portfolio/usage_records.hpp"

#include "portfolio/aggregates.hpp"
#include "portfolio/values.hpp"

namespace roost::portfolio {

namespace {

using domain::ai_feature;
using domain::ai_usage_record;

constexpr choices<ai_feature, domain::ai_feature_names.size()> features = [] {
  choices<ai_feature, domain::ai_feature_names.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = {domain::ai_feature_names[i], static_cast<ai_feature>(i)};
  return all;
}();

/// A row that was read over the API names its account: it must be the one that it stands in. One whose own id
/// is bad has its problem already.
bool read_own_account(reader& in, const domain::uuid& account) {
  domain::uuid id{};
  if (!read_id(in, id)) return false;
  return account.is_nil() || id == account || in.refuse("must be the account that the row stands in");
}

bool check_total(reader& in, const ai_usage_record& of, const std::optional<std::int64_t>& total) {
  const auto sum = of.tokens.total();
  return !total || *total == sum ||
         in.refuse_member("totalTokens", "must be the sum of the four counters, " + std::to_string(sum));
}

bool read_ledger_currency(reader& in, std::string& to) {
  if (!in.is(json_type::text) || in.node().text != domain::ai_usage_currency)
    return in.refuse("must be " + std::string{domain::ai_usage_currency});
  to = in.node().text;
  return true;
}

/// Of any content, but rates are numbers.
bool check_rates(reader& in) {
  domain::decimal rate;
  if (!in.is(json_type::object)) return in.refuse("must be an object");
  return in.members([&](std::string_view) { return read_cost(in, rate); });
}

bool read_pricing(reader& in, std::string& to) {
  if (!read_json_object(in, to)) return false;
  std::string currency;
  return in.members([&](std::string_view name) {
    if (name == "currency") return read_ledger_currency(in, currency);
    return name != "perMTok" || check_rates(in);
  });
}

/// `id`, `account` and `created_at` are the members that differ between the places where a record can stand.
bool read_record(reader& in, ai_usage_record& to, const field& id, const field& account,
                 const field& created_at) {
  std::optional<std::int64_t> total;
  const auto maybe_text = [&](std::optional<std::string>& text) {
    return in.nullable(text, [&](std::string& value) { return read_text(in, value); });
  };
  const auto read_object = [&](std::string& json) { return read_json_object(in, json); };
  const bool good = in.object({
      id,
      account,
      required("feature", [&] { return read_choice(in, to.feature, features); }),
      required("provider", [&] { return read_text(in, to.provider); }),
      required("model", [&] { return read_text(in, to.model); }),
      optional("inputTokens", [&] { return read_count(in, to.tokens.input); }),
      optional("outputTokens", [&] { return read_count(in, to.tokens.output); }),
      optional("cacheCreationInputTokens", [&] { return read_count(in, to.tokens.cache_creation); }),
      optional("cacheReadInputTokens", [&] { return read_count(in, to.tokens.cache_read); }),
      optional("totalTokens", [&] { return read_count(in, total.emplace(0)); }),
      optional("cost", [&] { return read_cost(in, to.cost); }),
      optional("currency", [&] { return read_ledger_currency(in, to.currency); }),
      optional("pricingSnapshot", [&] { return read_pricing(in, to.pricing_snapshot); }),
      optional("userId", [&] { return maybe_text(to.user_id); }),
      optional("source", [&] { return maybe_text(to.source); }),
      optional("conversationId", [&] { return maybe_text(to.conversation_id); }),
      optional("referenceId", [&] { return maybe_text(to.reference_id); }),
      optional("metadata", [&] { return in.nullable(to.metadata, read_object); }),
      created_at,
  });
  return good && check_total(in, to, total);
}

bool read_standing_alone(reader& in, ai_usage_record& to, const std::optional<domain::timestamp>& now) {
  if (now) to.created_at = *now;
  const auto read_account = [&] {
    return in.nullable(to.account_id, [&](domain::uuid& id) { return read_id(in, id); });
  };
  const auto read_own_id = [&] { return read_id(in, to.id); };
  const auto read_creation = [&] { return read_moment(in, to.created_at); };
  return read_record(in, to, required("id", read_own_id), required("accountId", read_account),
                     field{"createdAt", !now.has_value(), read_creation});
}

} // namespace

bool read_usage_record(reader& in, file_scope& file, const domain::uuid& account, ai_usage_record& to) {
  to.account_id = account;
  const auto read_unique_id = [&] {
    return read_id(in, to.id) && file.unique.usage_records.claim(in, to.id);
  };
  const auto read_account = [&] { return read_own_account(in, account); };
  const auto read_creation = [&] { return read_moment(in, to.created_at); };
  return read_record(in, to, required("id", read_unique_id), optional("accountId", read_account),
                     required("createdAt", read_creation));
}

usage_records parse_usage_records(std::string_view json, std::size_t most,
                                  std::optional<domain::timestamp> now) {
  usage_records read;
  const auto read_root = [&](const json_node& root) {
    reader in{root, read.problems};
    const auto read_one = [&](ai_usage_record& record) { return read_standing_alone(in, record, now); };
    if (most == 1 || !in.is(json_type::array)) {
      read_one(read.records.emplace_back());
    } else {
      in.list(read.records, read_one);
      if (read.records.size() > most)
        in.refuse("must not hold more than " + std::to_string(most) + " records");
    }
  };
  json_consumer consumer;
  consumer.rest = read_root;
  read.broken = read_json(json, {}, consumer);
  return read;
}

} // namespace roost::portfolio
