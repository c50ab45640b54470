#include "http/partner/partner_document.hpp"

#include "domain/platform_traits.hpp"
#include "http/partner/listing_answers.hpp"

#include <array>

namespace roost::http {

namespace {

struct demo_example {
  std::string_view prefix, parameter, value;
};

constexpr std::array demo{
    demo_example{"marketplace-a", "externalId", "771"},
    demo_example{"marketplace-a", "landlordKey", "casa-verde"},
    demo_example{"marketplace-b", "externalId", "MB-40213"},
    demo_example{"marketplace-b", "landlordKey", "casa-verde"},
    demo_example{"marketplace-c", "externalId", "c-58831"},
    demo_example{"marketplace-c", "landlordKey", "casa-verde"},
    demo_example{"marketplace-d", "externalId", "5120_1"},
    demo_example{"marketplace-d", "landlordKey", "casa-verde"},
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

} // namespace

std::map<std::string, std::string> demo_examples(std::string_view prefix) {
  std::map<std::string, std::string> examples;
  for (const auto& each : demo)
    if (each.prefix == prefix) examples.emplace(each.parameter, each.value);
  return examples;
}

documented_api partner_document(const domain::platform& platform, const std::string& base_url) {
  const auto& traits = domain::traits_of(platform);
  return {.prefix = platform.prefix,
          .title = "Roost for " + platform.name,
          .description = "Listings and bookings under /" + platform.prefix +
                         ". Paste your token without the word Bearer.",
          .takes_webhook_key = traits.takes_webhook_key,
          .accounts_move = traits.accounts_move_away,
          .server_url = base_url,
          .messages = {{401, "Missing integration credentials"},
                       {404, listing_not_found(platform, "unknown").message},
                       {410, "Gone: this account is served by the native booking engine"}},
          .examples = demo_examples(platform.prefix),
          .parameters = {{"externalId", traits.is_single_landlord ? "The unit's UUID, not a linked ID"
                                                                  : "Your ID of the unit"},
                         {"landlordKey", "The landlord's key as it was told to you, or the Integration Email "
                                         "of the landlord's card for your platform in any letter case"}}};
}

} // namespace roost::http
