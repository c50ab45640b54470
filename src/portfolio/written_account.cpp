#include "portfolio/words.hpp"
#include "portfolio/written_members.hpp"

namespace roost::portfolio {

namespace {

std::string words_of(const std::vector<domain::due_item>& items) {
  std::vector<std::string> words;
  words.reserve(items.size());
  for (const auto item : items) words.emplace_back(word_for(item, due_items));
  return json_of(words);
}

/// Both lists or none: a list that is left out depends on the other one.
written_members payment_members(const domain::payment_terms& terms, defaults mode) {
  const domain::payment_terms usual;
  member_list to(mode);
  if (mode == defaults::written || terms.confirmation != usual.confirmation ||
      terms.check_in != usual.check_in) {
    to.put_json("confirmation", words_of(terms.confirmation));
    to.put_json("checkIn", words_of(terms.check_in));
  }
  to.put("monthlyDueDay", terms.monthly_due_day, usual.monthly_due_day);
  return to.take();
}

written_members engine_members(const domain::account& account, defaults mode) {
  member_list to(mode);
  to.put("native", account.native_engine, false);
  to.put("propertyCreation", account.property_creation, true);
  return to.take();
}

/// Hundredths are written as cents are.
written_members markup_members(const domain::markup& markup, defaults mode) {
  member_list to(mode);
  if (mode == defaults::left_out && markup == domain::markup{}) return to.take();
  to.put("mode", word_for(markup.mode, markup_modes));
  if (markup.mode != domain::markup_mode::none) to.put("value", domain::money{markup.value});
  return to.take();
}

} // namespace

written_members members_of(const domain::account& account, defaults mode) {
  const domain::account usual;
  member_list to(mode);
  to.put("id", account.id);
  to.put("companyName", account.company_name);
  to.put("currency", account.currency);
  to.put("landlordKey", account.landlord_key);
  to.put("logoUrl", account.logo_url, usual.logo_url);
  to.put("contractType", account.contract_type, usual.contract_type);
  to.put("checkInTime", account.check_in_time, usual.check_in_time);
  to.put("checkOutTime", account.check_out_time, usual.check_out_time);
  to.put("advanceNoticeDays", account.advance_notice_days, usual.advance_notice_days);
  to.put_object("paymentTerms", payment_members(account.payment_terms, mode));
  to.put_object("bookingEngine", engine_members(account, mode));
  to.put_list("tenantCategories", account.tenant_categories, [&](const domain::tenant_category& each) {
    member_list category(mode);
    category.put("name", each.name);
    category.put("integrationDefault", each.integration_default, false);
    return category.take();
  });
  to.put("aiAreas", account.ai_areas, {});
  return to.take();
}

written_members members_of(const domain::platform_card& card, defaults mode) {
  const domain::platform_card usual;
  member_list to(mode);
  to.put("platform", card.platform);
  to.put("integrationEmail", card.integration_email, usual.integration_email);
  to.put_object("markup", markup_members(card.markup, mode));
  to.put("calendarBlockDays", card.calendar_block_days, usual.calendar_block_days);
  return to.take();
}

written_members members_of(const domain::user& user, password_hashes hashes, defaults mode) {
  const domain::user usual;
  member_list to(mode);
  to.put("id", user.id);
  to.put("email", user.email);
  to.put("role", user.role);
  to.put("ownerId", user.owner_id, usual.owner_id);
  if (hashes == password_hashes::written) to.put("passwordHash", user.password_hash);
  to.put("firstName", user.first_name, usual.first_name);
  to.put("lastName", user.last_name, usual.last_name);
  to.put("aiAccess", user.ai_access, usual.ai_access);
  to.put("deactivated", user.deactivated, usual.deactivated);
  return to.take();
}

written_members members_of(const domain::ai_usage_record& record, defaults mode) {
  const domain::ai_usage_record usual;
  member_list to(mode);
  to.put("id", record.id);
  to.put("feature", domain::to_string(record.feature));
  to.put("provider", record.provider);
  to.put("model", record.model);
  to.put("inputTokens", record.tokens.input, 0);
  to.put("outputTokens", record.tokens.output, 0);
  to.put("cacheCreationInputTokens", record.tokens.cache_creation, 0);
  to.put("cacheReadInputTokens", record.tokens.cache_read, 0);
  to.put("cost", record.cost, usual.cost);
  to.put("currency", record.currency, usual.currency);
  // Both are kept as the text that they came in.
  if (mode == defaults::written || record.pricing_snapshot != usual.pricing_snapshot)
    to.put_json("pricingSnapshot", record.pricing_snapshot);
  if (mode == defaults::written || record.metadata) to.put_json("metadata", record.metadata.value_or("null"));
  to.put("userId", record.user_id, usual.user_id);
  to.put("source", record.source, usual.source);
  to.put("conversationId", record.conversation_id, usual.conversation_id);
  to.put("referenceId", record.reference_id, usual.reference_id);
  to.put("createdAt", record.created_at);
  return to.take();
}

} // namespace roost::portfolio
