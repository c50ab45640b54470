#pragma once

#include "domain/assistant.hpp"
#include "domain/email_address.hpp"
#include "domain/portfolio.hpp"
#include "portfolio/description.hpp"
#include "portfolio/unit.hpp"
#include "portfolio/usage_record.hpp"

#include <algorithm>
#include <array>
#include <map>

/// The description of an account, its settings, users and properties (docs/portfolio.md).
namespace roost::portfolio::objects {

using domain::account, domain::address, domain::ai_budget, domain::cleaning_fee, domain::due_item,
    domain::markup, domain::payment_terms, domain::platform_card, domain::portfolio_account,
    domain::portfolio_property, domain::portfolio_user, domain::property, domain::tenant_category,
    domain::user;

inline constexpr std::array<std::string_view, 5> due_item_words{"firstRent", "lastRent", "deposit",
                                                                "adminFee", "cleaningFee"};

/// The items that are due at one time: each once, and none that is due at the other time.
struct due_items {
  constexpr json::facts schema_facts() const { return {.type = "array"}; }

  bool read(reading<payment_terms>& at, std::vector<due_item>& to) const {
    const auto holds = [](const auto& items, auto item) { return std::ranges::count(items, item) > 0; };
    return at.in.elements([&] {
      due_item item{};
      if (!word.read(at, item)) return false;
      if (holds(at.to.confirmation, item) || holds(at.to.check_in, item))
        return at.in.refuse("is due already");
      to.push_back(item);
      return true;
    });
  }

  void write(std::string& to, const std::vector<due_item>& items) const {
    append_array(to, items, [&](due_item item) { word.write(to, item); });
  }

private:
  static constexpr kind::choice word{due_item_words};
};

/// A list that is left out must not clash with one that is given: defaults come after reading.
inline void begin_payment_terms(reading<payment_terms>& at) {
  at.to.confirmation.clear();
  at.to.check_in.clear();
}

inline bool finish_payment_terms(reading<payment_terms>& at) {
  const payment_terms usual;
  const auto complete = [](auto& left_out, auto defaults, const auto& other) {
    std::erase_if(defaults, [&](auto item) { return std::ranges::count(other, item) > 0; });
    left_out = std::move(defaults);
  };
  const bool has_confirmation = at.has("confirmation");
  if (!at.has("checkIn")) complete(at.to.check_in, usual.check_in, at.to.confirmation);
  if (!has_confirmation) complete(at.to.confirmation, usual.confirmation, at.to.check_in);
  return true;
}

/// Both lists or none: a list that is left out depends on the other one.
inline constexpr omitted_if if_both_are_usual{[](const payment_terms& terms) {
  const auto& defaults = usual<payment_terms>();
  return terms.confirmation == defaults.confirmation && terms.check_in == defaults.check_in;
}};

inline constexpr auto payment_terms_object =
    record<payment_terms>({.begin = begin_payment_terms, .finish = finish_payment_terms},
                          field("confirmation", due_items{}, &payment_terms::confirmation,
                                "What is due when a booking is confirmed", optional, if_both_are_usual),
                          field("checkIn", due_items{}, &payment_terms::check_in, "What is due at check-in",
                                optional, if_both_are_usual),
                          field("monthlyDueDay", kind::whole{1, 28}, &payment_terms::monthly_due_day,
                                "The day of the month on which the rent is due", optional));

inline constexpr auto booking_engine_object =
    record<account>(field("native", kind::flag, &account::native_engine,
                          "Whether the account has moved to the native booking engine", optional),
                    field("propertyCreation", kind::flag, &account::property_creation,
                          "Whether the booking engine may create properties", optional));

inline constexpr checked_by is_only_default{[](reading<tenant_category>& at, bool is_default) {
  const bool is_second = is_default && std::ranges::any_of(at.earlier, &tenant_category::integration_default);
  return !is_second || at.in.refuse("must be true for one category at most");
}};

inline constexpr auto tenant_category_object = record<tenant_category>(
    field("name", kind::name, &tenant_category::name, "Unique in the account",
          unique_in_list<&tenant_category::name>{"is the name of another category"}),
    field("integrationDefault", kind::flag, &tenant_category::integration_default,
          "Whether tenants created by platforms' bookings are of this category", optional, is_only_default));

/// Refuses the name of an area that the tool server does not have.
inline bool refuse_ai_area(reader& in, std::string_view area) {
  std::vector<std::string_view> names;
  names.reserve(domain::tool_areas.size());
  for (const auto& each : domain::tool_areas) names.push_back(each.name);
  return in.refuse("is not a known area" + hint(area, names));
}

/// The access of AI tools, by area.
struct ai_areas {
  static constexpr std::array<std::string_view, 2> levels{"edit", "read-only"};

  constexpr json::facts schema_facts() const {
    return {.type = "object", .other_members = R"({"type":"string","enum":["edit","read-only"]})"};
  }
  bool read(reader& in, std::map<std::string, std::string>& to) const {
    to.clear();
    return in.members([&](std::string_view area) {
      if (!domain::find_tool_area(area)) return refuse_ai_area(in, area);
      std::size_t level = 0;
      if (!read_choice(in, level, levels)) return false;
      to.emplace(area, levels[level]);
      return true;
    });
  }
};

/// The thresholds of a budget, as shares of it.
struct ai_thresholds {
  json::schema schema() const {
    auto thresholds =
        json::array_of({{.type = "number", .minimum = 0, .maximum = domain::max_ai_threshold / 100}});
    thresholds.schema_facts.max_items = domain::max_ai_thresholds;
    return thresholds;
  }
  bool read(reader& in, std::vector<int>& to) const {
    std::vector<int> thresholds;
    if (!in.list(thresholds, [&](int& threshold) { return read_one(in, thresholds, threshold); }))
      return false;
    if (thresholds.empty() || thresholds.size() > domain::max_ai_thresholds)
      return in.refuse("must have 1 to " + std::to_string(domain::max_ai_thresholds) + " elements");
    to = std::move(thresholds);
    return true;
  }
  void write(std::string& to, const std::vector<int>& thresholds) const {
    append_array(to, thresholds, [&](int threshold) { append_json(to, domain::money{threshold}); });
  }

private:
  static bool read_one(reader& in, const std::vector<int>& earlier, int& to) {
    constexpr int limit = domain::max_ai_threshold / 100;
    std::int64_t hundredths = 0;
    if (!read_hundredths(in, hundredths, limit + 1)) return false;
    if (hundredths == 0 || hundredths > domain::max_ai_threshold)
      return in.refuse("must be greater than 0 and at most " + std::to_string(limit));
    if (!earlier.empty() && hundredths <= earlier.back())
      return in.refuse("must be greater than the one before");
    to = static_cast<int>(hundredths);
    return true;
  }
};

inline constexpr checked_by is_not_zero{[](reading<ai_budget>& at, domain::money monthly) {
  return monthly.cents > 0 || at.in.refuse("must be greater than 0");
}};

inline constexpr auto ai_budget_object = record<ai_budget>(
    field("monthly", kind::amount, &ai_budget::monthly,
          "The budget for each calendar month in UTC, in US dollars", is_not_zero),
    field("warnAt", ai_thresholds{}, &ai_budget::warn_at,
          "The shares of the budget that users are mailed about, ascending: 0.5 is half of it", optional));

inline bool finish_markup(reading<markup>& at) {
  const bool is_none = at.to.mode == domain::markup_mode::none;
  if (is_none && at.to.value != 0) return at.in.refuse_member("value", "must be left out when mode is none");
  if (!is_none && !at.has("value")) return at.in.refuse_member("value", "is required");
  return true;
}

inline constexpr auto markup_object = record<markup>(
    {.begin =
         [](reading<markup>& at) {
           if (at.in.peek_text("mode") == "percentage") at.to.mode = domain::markup_mode::percentage;
         },
     .finish = finish_markup},
    field("mode", kind::choice{domain::markup_mode_names}, &markup::mode, "The unit of the value"),
    field("value", kind::hundredths<markup>{[](const markup& markup) -> std::int64_t {
            const std::int64_t percentage_limit = 1'000;
            return markup.mode == domain::markup_mode::percentage ? percentage_limit : whole_amount_limit;
          }},
          &markup::value, "A percentage of the rent, or an amount",
          only_where{[](const markup& markup) { return markup.mode != domain::markup_mode::none; }}));

inline constexpr auto card_object = record<platform_card>(
    field("platform", kind::configured_platform, &platform_card::platform,
          "A configured platform, with one card",
          unique_in_list<&platform_card::platform>{"has a card already"}),
    field("integrationEmail", kind::email, &platform_card::integration_email,
          "The landlord's address that is published there", optional),
    field("markup", kind::object{markup_object}, &platform_card::markup, "What is added to the rent there",
          optional),
    field("calendarBlockDays", kind::whole{0, max_notice_days}, &platform_card::calendar_block_days,
          "If a unit's latest block ends more than so many days from today, one of two years follows it",
          optional),
    field("allowChanges", kind::flag, &platform_card::allow_changes,
          "Whether the platform may change the stays of its bookings, if the configuration allows it to",
          optional),
    field("allowHolds", kind::flag, &platform_card::allow_holds,
          "Whether the platform may hold nights for guests who are about to book, if the configuration "
          "allows it to",
          optional));

/// An argon2id hash, as the configuration's check accepts it.
struct password_hash_text {
  constexpr json::facts schema_facts() const { return {.type = "string"}; }
  bool read(reader& in, std::string& to) const {
    const auto& is_hash = in.file().configured.is_password_hash;
    if (!in.is(json_type::text) || !is_hash || !is_hash(in.node().text))
      return in.refuse("must be an argon2id hash as an export writes it");
    to = in.node().text;
    return true;
  }
};

/// Null means that the user has no password; a missing member keeps the stored one.
inline constexpr omitted_if never_omitted{[](const portfolio_user&) { return false; }};

inline bool finish_user(reading<portfolio_user>& at) {
  const auto& user = at.to.details;
  const bool has_password = at.has("password"), has_hash = at.has("passwordHash");
  at.to.keeps_password = !has_password && !has_hash;
  if (has_password && has_hash)
    return at.in.refuse_member("passwordHash", "must be left out if there is a password");
  if (user.owner_id && user.role != domain::owner_role)
    return at.in.refuse_member("ownerId", "must be left out unless the role is Owner");
  return true;
}

template <auto Member>
inline constexpr auto in_user = via(&portfolio_user::details, Member);

inline constexpr auto user_object = record<portfolio_user>(
    {.begin = [](reading<portfolio_user>& at) { at.to.details.account_id = at.in.file().account; },
     .finish = finish_user,
     .has_lines = true},
    field("id", kind::id, in_user<&user::id>, "", unique_in<&uniqueness::users>),
    field("email", kind::email, in_user<&user::email>, "Unique among all users, in any letter case",
          checked_by{[](reading<portfolio_user>& at, const std::string& email) {
            return at.in.file().unique.emails.claim(at.in, domain::email_key(email));
          }}),
    field("role", kind::configured{&file_scope::roles, "a configured role"}, in_user<&user::role>,
          "A role of the configuration"),
    field("ownerId", kind::id, in_user<&user::owner_id>,
          "The owner whose properties are this user's; only for the role Owner", optional),
    field("password", kind::text{.min_length = 6, .max_length = 1'024, .may_be_blank = true},
          &portfolio_user::password, "Stored as a hash; null: no password", optional, not_written),
    field("passwordHash", password_hash_text{}, in_user<&user::password_hash>,
          "In place of a password: a hash that an export wrote", optional, never_omitted, password_hash,
          secret{"password"}),
    field("firstName", kind::detail, in_user<&user::first_name>, "", optional),
    field("lastName", kind::detail, in_user<&user::last_name>, "", optional),
    field("aiAccess", kind::flag, in_user<&user::ai_access>, "Whether the user may authorize assistants",
          optional),
    field("deactivated", kind::flag, in_user<&user::deactivated>, "Whether the user can no longer sign in",
          optional),
    field("language", kind::choice{domain::language_names}, in_user<&user::language>,
          "Of a new user. The user may choose another one, which imports keep", optional));

inline bool finish_address(reading<address>& at) {
  const auto& [latitude, longitude] = std::tie(at.to.latitude, at.to.longitude);
  if (latitude.has_value() == longitude.has_value()) return true;
  return at.in.refuse_member(latitude ? "longitude" : "latitude", "is required with the other one");
}

inline constexpr auto address_object = record<address>(
    {.finish = finish_address}, field("street", kind::detail, &address::street, "", optional),
    field("number", kind::detail, &address::number, "", optional),
    field("floor", kind::detail, &address::floor, "", optional),
    field("postalCode", kind::detail, &address::postal_code, "", optional),
    field("city", kind::detail, &address::city, "Marketplace D compares it with its accepted regions",
          optional),
    field("region", kind::detail, &address::region, "", optional),
    field("neighborhood", kind::detail, &address::neighborhood, "", optional),
    field("countryCode", kind::country, &address::country_code, "ISO 3166-1", optional),
    field("latitude", kind::degrees{90}, &address::latitude, "Together with the longitude", optional),
    field("longitude", kind::degrees{180}, &address::longitude, "Together with the latitude", optional));

inline constexpr auto cleaning_fee_object = record<cleaning_fee>(
    field("enabled", kind::flag, &cleaning_fee::enabled, "", optional),
    field("value", kind::amount, &cleaning_fee::value, "", optional),
    field("frequency", kind::text{.max_length = 64}, &cleaning_fee::frequency, "", optional));

/// Real landlords rent out a whole property next to its rooms and beds, but not twice.
inline constexpr checked_by has_one_whole_unit{
    [](reading<portfolio_property>& at, const std::vector<domain::portfolio_unit>& units) {
      bool has_whole = false, good = true;
      for (std::size_t i = 0; i < units.size(); ++i) {
        if (units[i].terms.kind != domain::unit_kind::property) continue;
        if (has_whole) good = at.in.refuse_element(i, "is a second unit of kind property");
        has_whole = true;
      }
      return good;
    }};

/// Units may precede the id that they refer to.
inline void begin_property(reading<portfolio_property>& at) {
  auto& file = at.in.file();
  file.property = domain::parse_uuid(at.in.peek_text("id")).value_or(domain::uuid{});
  at.to.details.account_id = file.account;
}

template <auto Member>
inline constexpr auto in_property = via(&portfolio_property::details, Member);

inline constexpr auto property_object = record<portfolio_property>(
    {.begin = begin_property, .has_lines = true},
    field("id", kind::id, in_property<&property::id>, "", unique_in<&uniqueness::properties>),
    field("internalName", kind::name, in_property<&property::internal_name>, ""),
    field("ownerId", kind::id, in_property<&property::owner_id>,
          "The owner of the property; users of the role Owner are tied to one", optional),
    field("type", kind::choice{domain::property_type_names}, in_property<&property::type>, "", optional),
    field("address", kind::object{address_object}, in_property<&property::address>, "", optional),
    field("cleaningFee", kind::object{cleaning_fee_object}, in_property<&property::cleaning_fee>, "",
          optional),
    field("partnerCurrency", kind::currency, in_property<&property::partner_currency>,
          "In place of the account's currency on marketplaces A and B", optional),
    field("monthlyBills", kind::amount, in_property<&property::monthly_bills>, "A cost on marketplace B",
          optional),
    field("membershipFee", kind::amount, in_property<&property::membership_fee>, "A cost on marketplace B",
          optional),
    field("parking", kind::amount, in_property<&property::parking>, "A cost on marketplace B", optional),
    field("sizeSquareMetres", kind::size, in_property<&property::size_square_metres>, "", optional),
    field("wifiPassword", kind::detail, in_property<&property::wifi_password>, "Never published", optional,
          secret{"wifiPassword"}),
    field("features", kind::labels, in_property<&property::features>, "", optional),
    field("rules", kind::labels, in_property<&property::rules>, "", optional),
    field("description", kind::localized{kind::long_text}, in_property<&property::description>, "By language",
          optional),
    field("images", kind::list{image_object}, in_property<&property::images>, "", optional),
    field("archived", kind::flag, in_property<&property::archived>,
          "Takes all units of the property out of the feeds", optional),
    field("units", kind::list{unit_object}, &portfolio_property::units,
          "At most one of kind `property`; rooms and beds may be next to it", optional, listed_separately,
          has_one_whole_unit));

/// Users and properties may precede the id that they refer to.
inline void begin_account(reading<portfolio_account>& at) {
  auto& file = at.in.file();
  file.unique.begin_account();
  file.account = domain::parse_uuid(at.in.peek_text("id")).value_or(domain::uuid{});
}

template <auto Member>
inline constexpr auto in_account = via(&portfolio_account::details, Member);

inline constexpr auto account_object = record<portfolio_account>(
    {.begin = begin_account, .has_lines = true},
    field("id", kind::id, in_account<&account::id>, "", unique_in<&uniqueness::accounts>),
    field("companyName", kind::name, in_account<&account::company_name>, ""),
    field("currency", kind::currency, in_account<&account::currency>,
          "The currency of every amount in the account"),
    field("landlordKey", kind::name, in_account<&account::landlord_key>,
          "The landlord's name in paths, unique among all accounts", unique_in<&uniqueness::landlord_keys>),
    field("logoUrl", kind::url, in_account<&account::logo_url>, "", optional),
    field("contractType", kind::name, in_account<&account::contract_type>, "", optional),
    field("checkInTime", kind::time_of_day, in_account<&account::check_in_time>, "", optional),
    field("checkOutTime", kind::time_of_day, in_account<&account::check_out_time>, "", optional),
    field("advanceNoticeDays", kind::whole{0, max_notice_days}, in_account<&account::advance_notice_days>,
          "Units are available from so many days after today", optional),
    field("paymentTerms", kind::object{payment_terms_object}, in_account<&account::payment_terms>,
          "Which amounts are due when", optional),
    field("bookingEngine", kind::part{booking_engine_object}, &portfolio_account::details,
          "Settings of the booking engine", optional),
    field("tenantCategories", kind::list{tenant_category_object}, in_account<&account::tenant_categories>, "",
          optional),
    field("aiAreas", ai_areas{}, in_account<&account::ai_areas>,
          "The access of AI tools by area; an area left out is off", optional),
    field("aiBudget", kind::object{ai_budget_object}, in_account<&account::ai_budget>,
          "The budget for AI calls", optional),
    field("platformCards", kind::list{card_object}, in_account<&account::cards>,
          "The landlord's settings for each platform", optional, listed_separately),
    field("users", kind::list{user_object}, &portfolio_account::users, "", optional, listed_separately),
    field("properties", kind::list{property_object}, &portfolio_account::properties, "", optional,
          listed_separately),
    // file_writer writes the records itself, piece by piece.
    field("aiUsage", kind::list{usage_object}, &portfolio_account::ai_usage,
          "Rows for the ledger of AI usage", optional, not_written));

} // namespace roost::portfolio::objects
