#include "domain/email_address.hpp"
#include "fuzz/support/bodies.hpp"
#include "fuzz/support/described.hpp"
#include "fuzz/support/target.hpp"
#include "http/management/auth_bodies.hpp"
#include "http/management/usage_bodies.hpp"
#include "json/long_numbers.hpp"
#include "json/syntax_error.hpp"

#include <array>
#include <chrono>
#include <string>

/// The JSON bodies of the management API: sign-in, passwords and AI usage records. The first line names the
/// body.
namespace roost::fuzz::management_body {
namespace {

const domain::timestamp now{std::chrono::milliseconds{1'800'000'000'000}};

std::string login(std::string& body) {
  const auto parsed = http::parse_login(body);
  require(domain::is_email_address(parsed.email), "an accepted address is valid");
  return description{}.add(parsed.email).add(parsed.password).take();
}

std::string code(std::string& body) {
  const auto parsed = http::parse_verify_otp(body);
  require(parsed.otp.size() == 6, "a code has six digits");
  return description{}.add(parsed.challenge_token).add(parsed.otp).add(parsed.remember_device).take();
}

std::string password(std::string& body) {
  const auto parsed = http::parse_password_change(body);
  return description{}.add(parsed.old_password).add(parsed.new_password).add(parsed.end_connections).take();
}

std::string reset(std::string& body) {
  const auto parsed = http::parse_password_reset(body);
  return description{}.add(parsed.token).add(parsed.password).add(parsed.end_connections).take();
}

bool is_json(std::string_view text) { return !json::find_syntax_error(json::without_long_numbers(text)); }

/// Describes records without metadata and price, which keep the form in which they were sent, and without
/// generated ids.
std::string usage(std::string& body) {
  const auto records = http::parse_usage_submission(body, now, [](const domain::uuid&) { return true; });
  require(records.size() <= 1000, "a submission has at most 1000 records");
  description text;
  for (const auto& record : records) {
    require(record.tokens.total() >= 0, "the sum of tokens does not overflow");
    require(domain::has_digits(record.cost, domain::max_cost_digits, domain::max_cost_decimals),
            "a cost is limited");
    if (record.metadata) require(is_json(*record.metadata), "metadata is JSON");
    require(is_json(record.pricing_snapshot), "a price is JSON");
    text.add(record.account_id).add(static_cast<int>(record.feature)).add(record.provider).add(record.model);
    text.add(domain::to_string(record.cost)).add(record.currency).add(record.user_id).add(record.source);
    text.add(record.conversation_id)
        .add(record.reference_id)
        .add(record.metadata.has_value())
        .add(record.created_at);
    text.add(std::to_string(record.tokens.total()));
  }
  return text.take();
}

constexpr std::array<body_kind, 8> kinds{{{"login", login},
                                          {"code", code},
                                          {"resend", http::parse_resend_otp},
                                          {"identity", http::parse_identity_token},
                                          {"password", password},
                                          {"forgot", http::parse_forgot_password},
                                          {"reset", reset},
                                          {"usage", usage}}};

void check(std::string_view input) { check_named_body(input, kinds); }

const target registered{"management_body", "BodiesOfTheManagementApiAreReadInAnyForm", check};

} // namespace
} // namespace roost::fuzz::management_body
