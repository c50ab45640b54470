#pragma once

#include "service/support/openapi.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

/// The OpenAPI documents of the shipped platforms, and requests to what they tell.
namespace roost::testing {

/// Those of which a portfolio with one account can answer everything.
inline const std::vector<std::string> partner_documents{
    "marketplace-a",  "marketplace-b",   "marketplace-b-webhook", "marketplace-c",   "marketplace-d",
    "booking-engine", "channel-manager", "room-sharing",          "student-housing", "landlord-one"};

inline std::vector<std::string> partner_documents_and(const std::vector<std::string>& more) {
  auto all = partner_documents;
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// The prefix of the routes that a document tells.
inline std::string prefix_of(std::string document) {
  constexpr std::string_view webhook = "-webhook";
  if (document.ends_with(webhook)) document.resize(document.size() - webhook.size());
  return document;
}

inline openapi document_of(const running_roost& server, const std::string& name) {
  return openapi{ask(server.port(), "GET", "/" + name + "-json").body};
}

/// An operation's path below its prefix, with these parameters.
inline std::string path_below(const std::string& prefix, std::string path, const std::string& landlord_key,
                              const std::string& id) {
  const std::map<std::string, std::string> values{
      {"{landlordKey}", landlord_key}, {"{externalId}", id}, {"{listingId}", id}};
  for (const auto& [name, value] : values)
    if (const auto at = path.find(name); at != std::string::npos) path.replace(at, name.size(), value);
  return path.substr(prefix.size() + 1);
}

/// What an operation takes, about this unit.
inline std::string body_for(const std::string& path, const std::string& id) {
  if (path == "/marketplace-a/webhook")
    return R"({"event":"booking-paid","offer_api_reference":")" + id + R"(","booking_id":7,)" +
           R"("move_in_date":"2099-01-01","move_out_date":"2099-02-01","contract_price_amount":68300})";
  if (path == "/marketplace-b/{landlordKey}/webhook")
    return R"({"notification_type":"booking_paid","listing_external_reference":")" + id + R"(",)" +
           R"("booking_uuid":"7","booking_start_date":"2099-01-01","booking_end_date":"2099-02-01"})";
  if (path == "/booking-engine/listing") return listing_update(id);
  if (path == "/booking-engine/property-listing") return engine_property("P1", 2);
  return booking(id, 30, 60);
}

/// The operation's request below the partner's prefix; `body` is for operations that take one.
inline raw_response send(const partner& from, const openapi::told_operation& operation,
                         const std::string& path, const std::string& body, const header_fields& fields = {}) {
  if (operation.method == "get") return from.get(path, fields);
  return operation.method == "put" ? from.put(path, body, fields) : from.post(path, body, fields);
}

/// The text of an error.
inline std::string message_of(const raw_response& got) {
  const auto quoted = json_at(got.body, "/message");
  return quoted.size() < 2 ? "" : quoted.substr(1, quoted.size() - 2);
}

} // namespace roost::testing
