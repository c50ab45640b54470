#pragma once

#include "domain/ai_budget.hpp"
#include "domain/date.hpp"
#include "domain/money.hpp"
#include "domain/text.hpp"
#include "domain/uuid.hpp"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::domain {

enum class markup_mode { none, percentage, fixed };

inline constexpr std::array<std::string_view, 3> markup_mode_names{"none", "percentage", "fixed"};
constexpr const auto& names_of(markup_mode) { return markup_mode_names; }

/// A landlord's addition to the rent on one platform (Partner API, Listing object, rule 2).
struct markup {
  markup_mode mode = markup_mode::none;
  std::int64_t value = 0; ///< percentage: hundredths of a percent; fixed: cents

  friend bool operator==(const markup&, const markup&) = default;
};

/// A landlord's settings for one platform.
struct platform_card {
  std::string platform;
  std::optional<std::string> integration_email;
  domain::markup markup;
  std::optional<int> calendar_block_days;
  bool allow_changes = true; ///< whether the platform may change bookings, if its configuration allows it
  bool allow_holds = true;   ///< the same for holds of nights

  friend bool operator==(const platform_card&, const platform_card&) = default;
};

/// An amount that can be due at confirmation or at check-in.
enum class due_item { first_rent, last_rent, deposit, admin_fee, cleaning_fee };

/// As in the store.
inline constexpr std::array<std::string_view, 5> due_item_names{"first_rent", "last_rent", "deposit",
                                                                "admin_fee", "cleaning_fee"};
constexpr const auto& names_of(due_item) { return due_item_names; }

struct payment_terms {
  std::vector<due_item> confirmation{due_item::first_rent};
  std::vector<due_item> check_in{due_item::deposit};
  int monthly_due_day = 1; ///< 1 to 28

  friend bool operator==(const payment_terms&, const payment_terms&) = default;
};

struct tenant_category {
  std::string name;
  bool integration_default = false; ///< assigned to tenants created by platform bookings

  friend bool operator==(const tenant_category&, const tenant_category&) = default;
};

/// A landlord account's settings.
struct account {
  uuid id{};
  std::string company_name;
  std::optional<std::string> logo_url;
  std::string currency; ///< ISO 4217
  std::string landlord_key;
  std::string contract_type = "Traditional rental";
  std::string check_in_time = "15:00";
  std::string check_out_time = "11:00";
  int advance_notice_days = 0;
  domain::payment_terms payment_terms;
  bool native_engine = false;    ///< moved to the native booking engine: the engine's routes return 410
  bool property_creation = true; ///< whether the booking engine may create properties
  std::vector<tenant_category> tenant_categories;
  std::map<std::string, std::string> ai_areas; ///< area → `edit` or `read-only`; a missing area is off
  std::optional<domain::ai_budget> ai_budget;  ///< for the costs of AI calls
  std::vector<platform_card> cards;

  friend bool operator==(const account&, const account&) = default;
};

/// Returns the account's card for a platform, or nullptr.
inline const platform_card* find_card(const account& owner, std::string_view platform) {
  for (const auto& card : owner.cards)
    if (card.platform == platform) return &card;
  return nullptr;
}

/// Returns the category of tenants whom a platform's booking creates; nullopt if there is none.
inline std::optional<std::string> default_category(const account& owner) {
  for (const auto& category : owner.tenant_categories)
    if (category.integration_default) return category.name;
  return std::nullopt;
}

/// The role of users who belong to an owner of properties.
inline constexpr std::string_view owner_role = "Owner";

/// The languages of the office.
enum class language { en, es };

/// Indexed by language (ISO 639-1).
inline constexpr std::array<std::string_view, 2> language_names{"en", "es"};
constexpr const auto& names_of(language) { return language_names; }

/// A user of a landlord account.
struct user {
  uuid id{};
  uuid account_id{};
  std::string email;
  std::optional<std::string> password_hash; ///< argon2id, encoded; nullopt: never set
  std::string first_name;
  std::string last_name;
  std::string role;
  std::optional<uuid> owner_id; ///< the owner whose properties this user sees; role Owner only
  bool ai_access = true;
  bool deactivated = false;
  domain::language language = domain::language::en; ///< chosen by the user; imports set that of new users

  friend bool operator==(const user&, const user&) = default;
};

/// The last use of a token or a key, to the minute.
struct credential_use {
  uuid credential_id{};
  timestamp used_at{};

  friend bool operator==(const credential_use&, const credential_use&) = default;
};

} // namespace roost::domain
