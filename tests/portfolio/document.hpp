#pragma once

#include "portfolio/parse.hpp"
#include "support/edited_json.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace roost::portfolio {

/// A valid portfolio with one of everything.
inline constexpr std::string_view whole_document = R"({
  "format": "roost-portfolio/1",
  "accounts": [{
    "id": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001",
    "companyName": "Casa Verde Rentals",
    "logoUrl": "https://casaverde.example/logo.png",
    "currency": "EUR",
    "landlordKey": "casa-verde",
    "contractType": "Seasonal rental",
    "checkInTime": "16:30", "checkOutTime": "10:00",
    "advanceNoticeDays": 2,
    "paymentTerms": { "confirmation": ["firstRent", "adminFee"], "checkIn": ["deposit", "lastRent"], "monthlyDueDay": 5 },
    "bookingEngine": { "native": true, "propertyCreation": false },
    "tenantCategories": [{ "name": "Platform guest", "integrationDefault": true }, { "name": "Friend" }],
    "aiAreas": { "bookings": "edit", "listings": "read-only" },
    "aiBudget": { "monthly": 50.5, "warnAt": [0.5, 1, 1.25] },
    "platformCards": [{
      "platform": "marketplace-a", "integrationEmail": "feeds@casaverde.example",
      "markup": { "mode": "percentage", "value": 5.25 }, "calendarBlockDays": 90,
      "allowChanges": false, "allowHolds": false }],
    "users": [{
      "id": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0002", "email": "ana@casaverde.example", "password": "secret",
      "firstName": "Ana", "lastName": "Silva", "role": "Admin", "aiAccess": false, "deactivated": true,
      "language": "es" }],
    "properties": [{
      "id": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0003",
      "internalName": "Calle Mayor 12", "ownerId": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0007",
      "type": "house",
      "address": { "street": "Calle Mayor", "number": "12", "floor": "3", "postalCode": "28013", "city": "Madrid",
                   "region": "Madrid", "neighborhood": "Sol", "countryCode": "ES", "latitude": 40.4168, "longitude": -3.7038 },
      "partnerCurrency": "USD",
      "cleaningFee": { "enabled": true, "value": 45.5, "frequency": "weekly" },
      "monthlyBills": 60, "membershipFee": 20, "parking": 80.25,
      "sizeSquareMetres": 96, "wifiPassword": "mayor-doce",
      "features": ["elevator", "wifi"], "rules": ["no-smoking"],
      "description": { "en": "Third floor.\nBright.", "es": "Tercero." },
      "images": [{ "url": "https://casaverde.example/1.jpg" }, { "url": "http://casaverde.example/2.jpg", "placeholder": true }],
      "archived": true,
      "units": [{
        "id": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0004", "internalName": "CM12 Room 1",
        "kind": "bed", "roomLabel": "Room 1", "capacity": 2,
        "rent": { "fixed": true, "amount": 650.5 },
        "minStayMonths": 1, "maxStayMonths": 11,
        "extraPricePerTenant": 120, "extraDepositPerTenant": 100,
        "bills": { "included": true, "maxValue": 50 },
        "adminFee": { "enabled": true, "mode": "tiered", "tiers": [{ "fromDays": 1, "value": 99.5 }, { "fromDays": 180, "value": 150 }] },
        "deposit": { "mode": "rentMultiple", "value": 1.5 },
        "exitFee": 35, "localRentCap": 700,
        "preparationDays": 2, "advanceNoticeDays": 7,
        "bookingWindows": [{ "minStartDate": "2027-01-01", "maxStartDate": "2027-02-01", "minEndDate": "2027-06-01", "maxEndDate": "2027-07-31" }],
        "blocks": [{ "id": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0005", "from": "2027-03-01", "to": "2027-03-31", "source": "manual" },
                   { "id": null, "from": "2027-05-01", "to": null, "source": "channel", "host": "host-one",
                     "note": "Paint" }],
        "calendars": [{ "id": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0008", "name": "Host one",
                        "url": "https://host-one.example/ical/1.ics?s=secret", "host": "host-one", "every": "15m" }],
        "shortTermIcalMaxDate": "2027-12-31", "exportAddress": "3f2b1c7e-94f0-4d0c-9d2f-3f0a3f1f00ea",
        "sizeSquareMetres": 12, "floor": "3", "minAge": 18, "maxAge": 40, "registrationNumber": "VT-1", "energyClass": "B",
        "features": ["desk"], "title": { "en": "Room with a balcony" }, "description": { "en": "Morning sun." },
        "images": [{ "url": "https://casaverde.example/3.jpg" }],
        "links": [{ "platform": "marketplace-a", "url": "https://marketplace-a.example/rooms/8812?staticId=771" },
                  { "platform": "booking-engine", "externalId": "P1_R1" }],
        "excludedFrom": ["marketplace-a"],
        "archived": true }]
    }],
    "aiUsage": [{
      "id": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0006", "accountId": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001",
      "feature": "landlord_chat", "provider": "larkspur", "model": "larkspur-2",
      "inputTokens": 10, "outputTokens": 20, "cacheCreationInputTokens": 30, "cacheReadInputTokens": 40, "totalTokens": 100,
      "cost": 0.000012, "currency": "USD", "pricingSnapshot": { "currency": "USD", "perMTok": { "input": 3, "output": 15 } },
      "userId": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0002", "source": "web", "conversationId": "c1", "referenceId": "r1",
      "metadata": { "pages": 2 }, "createdAt": "2026-11-16T08:12:44.310Z" }]
  }]
})";

/// A valid portfolio with the required members only.
inline constexpr std::string_view minimal_document = R"({
  "format": "roost-portfolio/1",
  "accounts": [{
    "id": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001",
    "companyName": "Casa Verde Rentals", "currency": "EUR", "landlordKey": "casa-verde",
    "platformCards": [{ "platform": "marketplace-a" }],
    "users": [{ "id": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0002", "email": "ana@casaverde.example", "role": "Admin" }],
    "properties": [{
      "id": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0003", "internalName": "Calle Mayor 12",
      "units": [{ "id": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0004", "internalName": "CM12 Room 1" }]
    }]
  }]
})";

/// Pointers to objects of these documents.
inline const std::string account = "/accounts/0", property = account + "/properties/0",
                         unit = property + "/units/0";

using support::edit;
using support::edited;

/// Replaces the only occurrence of `old_text`, for text that a JSON tree cannot hold.
inline std::string replaced(std::string_view document, std::string_view old_text, std::string_view new_text) {
  std::string text{document};
  const auto at = text.find(old_text);
  if (at == std::string::npos || text.find(old_text, at + 1) != std::string::npos)
    throw std::logic_error("not exactly once: " + std::string{old_text});
  return text.replace(at, old_text.size(), new_text);
}

inline context usual_context() {
  using domain::platform_kind;
  context result;
  for (const auto kind :
       {platform_kind::marketplace_a, platform_kind::marketplace_b, platform_kind::marketplace_c,
        platform_kind::marketplace_d, platform_kind::booking_engine}) {
    const std::string name{domain::to_string(kind)};
    result.platforms.push_back({.name = name, .kind = kind, .prefix = name, .domains = {name + ".example"}});
  }
  result.roles = {"Admin", "Owner", "Viewer"};
  result.short_term_hosts = {"host-one", "host-two"};
  return result;
}

/// Returns the configuration for the demonstration.
inline context demo_context() {
  context result;
  using enum domain::platform_kind;
  for (const auto kind : {marketplace_a, marketplace_b, marketplace_c, marketplace_d, booking_engine,
                          channel_manager, room_sharing, student_housing}) {
    const std::string name{domain::to_string(kind)};
    result.platforms.push_back({.name = name, .kind = kind, .prefix = name, .domains = {name + ".example"}});
  }
  for (const std::string name : {"landlord-one", "landlord-two", "landlord-three", "landlord-four"})
    result.platforms.push_back(
        {.name = name, .kind = single_landlord, .prefix = name, .domains = {name + ".example"}});
  result.roles = {"Super Admin", "Admin", "Manager", "Accountant", "Owner", "Viewer"};
  result.short_term_hosts = {"host-one", "host-two"};
  return result;
}

inline std::string demo_document() {
  std::ifstream file{ROOST_SOURCE_DIR "/config/demo-portfolio.json", std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

/// Returns a line for each problem of the file.
inline std::vector<std::string> problems_of(std::string_view document) {
  std::vector<std::string> lines;
  const auto result = parse(document, usual_context());
  if (const auto* problems = std::get_if<std::vector<problem>>(&result))
    for (const auto& problem : *problems) lines.push_back(to_string(problem));
  return lines;
}

/// Returns the portfolio of a valid file.
inline domain::portfolio parsed(std::string_view document) {
  auto result = parse(document, usual_context());
  if (const auto* problems = std::get_if<std::vector<problem>>(&result))
    throw std::logic_error(to_string(problems->front()));
  return std::get<domain::portfolio>(std::move(result));
}

} // namespace roost::portfolio
