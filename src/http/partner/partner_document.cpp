
#include "http/partner/partner_api.hpp"
#include "http/partner/partner_bodies.hpp"
#include "listings/listing.hpp"

#include <array>

namespace roost::http {

namespace {

struct demo_example {
  std::string_view prefix, parameter, value;
};

constexpr std::array demo{
    demo_example{"marketplace-a", "externalId", "771"},
    demo_example{"marketplace-b", "externalId", "MB-40213"},
    demo_example{"marketplace-c", "externalId", "c-58831"},
    demo_example{"marketplace-d", "externalId", "5120_1"},
    demo_example{"booking-engine", "externalId", "cm12_r1"},
    demo_example{"channel-manager", "externalId", "CV-LAV-1"},
    demo_example{"room-sharing", "externalId", "rs-90417"},
    demo_example{"student-housing", "externalId", "sh-3101"},
    demo_example{"landlord-one", "externalId", "0560c46d-3bf0-4834-861a-2ec7a94d488b"},
    demo_example{"landlord-two", "externalId", "fcbc0e03-6393-4602-b5b3-f6ade59dbb7b"},
    demo_example{"landlord-three", "externalId", "fdb4a6b6-0b84-456b-896d-e5ae86893dc7"},
    demo_example{"landlord-four", "externalId", "b9ba8034-fa8c-41e6-8b2a-42e6b13d8713"},
    demo_example{"ical-integration", "listingId", "00ebc1d4-5b39-4cb0-92cb-51ea889f03ef"},
};

std::vector<documented_response> errors_of(const domain::platform_traits& traits) {
  std::vector errors{
      refusal(401, "The credentials are missing or not valid here", "Missing integration credentials")};
  if (traits.accounts_move_away)
    errors.push_back(refusal(410, "The account of the svc-api-key has moved to the native booking engine",
                             account_has_moved));
  if (traits.is_single_landlord) {
    errors.push_back(busy_response);
    errors.push_back(refusal(503, "The feed is not configured yet: a retry does not help", not_configured));
  }
  return errors;
}

void add_partner_schemas(json::schemas& to) {
  listings::add_listing_schema(to);
  listings::add_full_schemas(to);
  add_booking_schemas(to);
  add_outcome_schemas(to);
  add_change_schemas(to);
  add_hold_schemas(to);
  add_quote_response_schemas(to);
  add_engine_request_schemas(to);
  add_engine_response_schemas(to);
  add_webhook_schemas(to);
}

/// The same booking in all documents: its PUT repeats its POST.
constexpr std::string_view demo_booking = "7b0a4d4e-8f0c-4f6b-8a51-0d6e6b1c2f3a";

constexpr std::string_view demo_change = "1f2e3d4c-5b6a-4978-8695-a4b3c2d1e0f9";
constexpr std::string_view demo_hold = "3f0c9e55-7f0b-4a3e-9a55-0a3b6f6a7d11";

std::string description_of(const domain::platform& platform) {
  auto description =
      "Listings and bookings under /" + platform.prefix +
      ". Paste your token without the word Bearer. A path or method that is not listed here returns 404.";
  if (has_webhook_document(platform)) description += " The webhook has its own document.";
  if (domain::traits_of(platform).is_single_landlord && !platform.account)
    description += " The feed is not configured yet, so every route returns 503.";
  return description;
}

} // namespace

std::map<std::string, std::string> demo_examples(std::string_view prefix) {
  std::map<std::string, std::string> examples;
  for (const auto& each : demo)
    if (each.prefix == prefix) examples.emplace(each.parameter, each.value);
  if (prefix.starts_with("marketplace-") && !examples.empty()) examples.emplace("landlordKey", "casa-verde");
  return examples;
}

documented_api partner_document(const domain::platform& platform, const std::string& base_url) {
  const auto& traits = domain::traits_of(platform);
  auto examples = demo_examples(platform.prefix);
  examples.emplace("bookingId", demo_booking);
  examples.emplace("changeId", demo_change);
  examples.emplace("holdId", demo_hold);
  return {.prefix = platform.prefix,
          .title = "Roost for " + platform.name,
          .description = description_of(platform),
          .takes_webhook_key = traits.takes_webhook_key,
          .server_url = base_url,
          .platform = platform.name,
          .errors = errors_of(traits),
          .examples = std::move(examples),
          .parameters = {{"bookingId", "Your ID of the booking; in a PUT, it must be a UUID"},
                         {"changeId", "Your ID of the change, a UUID"},
                         {"holdId", "Your ID of the hold; in a PUT, it must be a UUID"},
                         {"externalId", traits.is_single_landlord ? "The unit's UUID, not a linked ID"
                                                                  : "Your ID of the unit"},
                         {"landlordKey", "The landlord's key that you were given, or the Integration Email "
                                         "of the landlord's card for your platform, in any letter case"}},
          .schemas = add_partner_schemas};
}

bool has_webhook_document(const domain::platform& platform) {
  return domain::traits_of(platform).webhook == domain::marketplace::b;
}

documented_api webhook_document(const domain::platform& platform, const std::string& base_url) {
  auto document = partner_document(platform, base_url);
  document.name += "-webhook";
  document.title += ": webhook";
  document.description =
      "Where /" + platform.prefix +
      " sends events of paid and cancelled bookings. Paste your token without the word Bearer.";
  return document;
}

} // namespace roost::http
