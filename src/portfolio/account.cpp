#include "domain/assistant.hpp"
#include "domain/text.hpp"
#include "portfolio/aggregates.hpp"
#include "portfolio/values.hpp"
#include "portfolio/words.hpp"

#include <algorithm>

namespace roost::portfolio {

namespace {

using domain::due_item;
using domain::markup_mode;

constexpr text_rule password_rule{.shortest = 6, .longest = 1'024, .may_be_blank = true};
constexpr std::int64_t markup_percentage_limit = 1'000;

constexpr choices<std::string_view, 2> ai_access_levels{{{"edit", "edit"}, {"read-only", "read-only"}}};

bool read_due_items(reader& in, std::vector<due_item>& to, const std::vector<due_item>& due_elsewhere) {
  const auto holds = [](const std::vector<due_item>& items, due_item item) {
    return std::ranges::find(items, item) != items.end();
  };
  return in.elements([&] {
    due_item item{};
    if (!read_choice(in, item, due_items)) return false;
    if (holds(to, item) || holds(due_elsewhere, item)) return in.refuse("is due already");
    to.push_back(item);
    return true;
  });
}

bool read_payment_terms(reader& in, domain::payment_terms& to) {
  // Read apart from the defaults: a list that is left out must not clash with one that is given.
  std::optional<std::vector<due_item>> confirmation, check_in;
  const auto read = [&](auto& list, const auto& other) {
    return read_due_items(in, list.emplace(), other ? *other : std::vector<due_item>{});
  };
  const bool good = in.object({
      optional("confirmation", [&] { return read(confirmation, check_in); }),
      optional("checkIn", [&] { return read(check_in, confirmation); }),
      optional("monthlyDueDay", [&] { return read_integer(in, to.monthly_due_day, 1, 28); }),
  });
  if (confirmation) to.confirmation = *confirmation;
  if (check_in) to.check_in = *check_in;
  const auto forget_given = [](const std::vector<due_item>& given, std::vector<due_item>& left_out) {
    std::erase_if(left_out, [&](due_item item) { return std::ranges::find(given, item) != given.end(); });
  };
  if (confirmation && !check_in) forget_given(to.confirmation, to.check_in);
  if (check_in && !confirmation) forget_given(to.check_in, to.confirmation);
  return good;
}

bool read_booking_engine(reader& in, domain::account& to) {
  return in.object({
      optional("native", [&] { return read_boolean(in, to.native_engine); }),
      optional("propertyCreation", [&] { return read_boolean(in, to.property_creation); }),
  });
}

bool read_tenant_categories(reader& in, std::vector<domain::tenant_category>& to) {
  bool has_default = false;
  return in.list(to, [&](domain::tenant_category& category) {
    const auto read_name = [&] {
      if (!read_text(in, category.name)) return false;
      const bool is_new = std::ranges::find(to, category.name, &domain::tenant_category::name) == to.end();
      return is_new || in.refuse("is the name of another category");
    };
    const auto read_default = [&] {
      if (!read_boolean(in, category.integration_default)) return false;
      const bool is_second = category.integration_default && has_default;
      has_default |= category.integration_default;
      return !is_second || in.refuse("must be true for one category at most");
    };
    return in.object({required("name", read_name), optional("integrationDefault", read_default)});
  });
}

std::vector<std::string_view> names_of_areas() {
  std::vector<std::string_view> names;
  names.reserve(domain::tool_areas.size());
  for (const auto& area : domain::tool_areas) names.push_back(area.name);
  return names;
}

bool read_ai_areas(reader& in, std::map<std::string, std::string>& to) {
  to.clear();
  return in.members([&](std::string_view area) {
    if (!domain::find_tool_area(area)) return in.refuse("is not a known area" + hint(area, names_of_areas()));
    std::string_view access;
    if (!read_choice(in, access, ai_access_levels)) return false;
    to.emplace(area, access);
    return true;
  });
}

bool read_markup(reader& in, domain::markup& to) {
  // The value's unit is the mode's: it is read as hundredths, which are cents too.
  std::optional<std::int64_t> value;
  std::int64_t limit = domain::amount_limit.cents / 100;
  if (in.peek_text("mode") == "percentage") limit = markup_percentage_limit;
  const bool good = in.object({
      required("mode", [&] { return read_choice(in, to.mode, markup_modes); }),
      optional("value", [&] { return read_hundredths(in, value.emplace(0), limit); }),
  });
  if (!good) return false;
  if (to.mode == markup_mode::none && value.value_or(0) != 0)
    return in.refuse_member("value", "must be left out when mode is none");
  if (to.mode != markup_mode::none && !value) return in.refuse_member("value", "is required");
  to.value = value.value_or(0);
  return true;
}

bool read_card(reader& in, const file_scope& file, const std::vector<domain::platform_card>& others,
               domain::platform_card& to) {
  const auto read_platform = [&] {
    if (!read_configured(in, to.platform, file.platforms, "a configured platform")) return false;
    const bool is_new =
        std::ranges::find(others, to.platform, &domain::platform_card::platform) == others.end();
    return is_new || in.refuse("has a card already");
  };
  return in.object({
      required("platform", read_platform),
      optional("integrationEmail",
               [&] {
                 return in.nullable(to.integration_email, [&](auto& email) { return read_email(in, email); });
               }),
      optional("markup", [&] { return read_markup(in, to.markup); }),
      optional("calendarBlockDays",
               [&] {
                 return in.nullable(to.calendar_block_days,
                                    [&](int& days) { return read_integer(in, days, 0, 3'650); });
               }),
  });
}

bool read_user_email(reader& in, file_scope& file, std::string& to) {
  if (!read_email(in, to)) return false;
  return file.unique.emails.claim(in, domain::folded_case(to));
}

bool read_password_hash(reader& in, const file_scope& file, std::string& to) {
  const auto& is_hash = file.configured.is_password_hash;
  if (!in.is(json_type::text) || !is_hash || !is_hash(in.node().text))
    return in.refuse("must be an argon2id hash as an export writes it");
  to = in.node().text;
  return true;
}

bool read_user(reader& in, file_scope& file, const domain::uuid& account, domain::portfolio_user& to) {
  auto& user = to.details;
  user.account_id = account;
  std::optional<std::optional<std::string>> password, hash; // given, even if as null
  const auto read_password = [&](std::string& text) { return read_text(in, text, password_rule); };
  const auto read_hash = [&](std::string& text) { return read_password_hash(in, file, text); };
  const auto read_owner = [&](domain::uuid& id) { return read_id(in, id); };
  const bool good = in.object({
      required("id", [&] { return read_id(in, user.id) && file.unique.users.claim(in, user.id); }),
      required("email", [&] { return read_user_email(in, file, user.email); }),
      optional("password", [&] { return in.nullable(password.emplace(), read_password); }),
      optional("passwordHash", [&] { return in.nullable(hash.emplace(), read_hash); }),
      optional("firstName", [&] { return read_text(in, user.first_name, detail_rule); }),
      optional("lastName", [&] { return read_text(in, user.last_name, detail_rule); }),
      required("role", [&] { return read_configured(in, user.role, file.roles, "a configured role"); }),
      optional("ownerId", [&] { return in.nullable(user.owner_id, read_owner); }),
      optional("aiAccess", [&] { return read_boolean(in, user.ai_access); }),
      optional("deactivated", [&] { return read_boolean(in, user.deactivated); }),
  });
  to.keeps_password = !password && !hash;
  if (password) to.password = std::move(*password);
  if (hash) user.password_hash = std::move(*hash);
  if (good && password && hash) return in.refuse_member("passwordHash", "must be left out beside password");
  if (good && user.owner_id && user.role != domain::owner_role)
    return in.refuse_member("ownerId", "must be left out unless the role is Owner");
  return good;
}

bool read_landlord_key(reader& in, file_scope& file, std::string& to) {
  return read_text(in, to) && file.unique.landlord_keys.claim(in, to);
}

} // namespace

bool read_account(reader& in, file_scope& file, domain::portfolio_account& to) {
  file.unique.begin_account();
  auto& account = to.details;
  // Users and properties may stand before the id that they carry too.
  const auto id = domain::parse_uuid(in.peek_text("id")).value_or(domain::uuid{});
  const auto read_one_card = [&](domain::platform_card& card) {
    return read_card(in, file, account.cards, card);
  };
  const auto read_one_user = [&](auto& user) { return read_user(in, file, id, user); };
  const auto read_one_property = [&](auto& property) { return read_property(in, file, id, property); };
  const auto read_one_record = [&](auto& record) { return read_usage_record(in, file, id, record); };
  return in.object({
      required("id", [&] { return read_id(in, account.id) && file.unique.accounts.claim(in, account.id); }),
      required("companyName", [&] { return read_text(in, account.company_name); }),
      optional("logoUrl",
               [&] { return in.nullable(account.logo_url, [&](auto& url) { return read_url(in, url); }); }),
      required("currency", [&] { return read_currency(in, account.currency); }),
      required("landlordKey", [&] { return read_landlord_key(in, file, account.landlord_key); }),
      optional("contractType", [&] { return read_text(in, account.contract_type); }),
      optional("checkInTime", [&] { return read_time_of_day(in, account.check_in_time); }),
      optional("checkOutTime", [&] { return read_time_of_day(in, account.check_out_time); }),
      optional("advanceNoticeDays", [&] { return read_integer(in, account.advance_notice_days, 0, 3'650); }),
      optional("paymentTerms", [&] { return read_payment_terms(in, account.payment_terms); }),
      optional("bookingEngine", [&] { return read_booking_engine(in, account); }),
      optional("tenantCategories", [&] { return read_tenant_categories(in, account.tenant_categories); }),
      optional("aiAreas", [&] { return read_ai_areas(in, account.ai_areas); }),
      optional("platformCards", [&] { return in.list(account.cards, read_one_card); }),
      optional("users", [&] { return in.list(to.users, read_one_user); }),
      optional("properties", [&] { return in.list(to.properties, read_one_property); }),
      optional("aiUsage", [&] { return in.list(to.ai_usage, read_one_record); }),
  });
}

} // namespace roost::portfolio
