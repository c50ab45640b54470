#pragma once

#include "domain/ai_usage.hpp"
#include "store/columns/enum_text.hpp"
#include "store/database/columns.hpp"

namespace roost::store {

/// A row of the AI usage ledger, without its account.
inline constexpr auto usage_columns = columns(
    column("id", &domain::ai_usage_record::id).key(), column("feature", &domain::ai_usage_record::feature),
    column("provider", &domain::ai_usage_record::provider), column("model", &domain::ai_usage_record::model),
    column("input_tokens", &domain::ai_usage_record::tokens, &domain::ai_tokens::input),
    column("output_tokens", &domain::ai_usage_record::tokens, &domain::ai_tokens::output),
    column("cache_creation_input_tokens", &domain::ai_usage_record::tokens,
           &domain::ai_tokens::cache_creation),
    column("cache_read_input_tokens", &domain::ai_usage_record::tokens, &domain::ai_tokens::cache_read),
    column("cost", &domain::ai_usage_record::cost), column("currency", &domain::ai_usage_record::currency),
    column("pricing_snapshot", &domain::ai_usage_record::pricing_snapshot).of_type("json"),
    column("user_id", &domain::ai_usage_record::user_id), column("source", &domain::ai_usage_record::source),
    column("conversation_id", &domain::ai_usage_record::conversation_id),
    column("reference_id", &domain::ai_usage_record::reference_id),
    column("metadata", &domain::ai_usage_record::metadata).of_type("json"),
    column("created_at", &domain::ai_usage_record::created_at));

} // namespace roost::store
