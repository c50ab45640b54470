#include "http/partner/booking_submission.hpp"

#include <benchmark/benchmark.h>

/// Reading a booking submission's body.
namespace roost::http {
namespace {

constexpr std::string_view whole =
    R"({"externalId":"1000001","bookingId":"0C1B5D1E-4A0E-4C57-9C8B-6C2E1B1F0A11","checkInDate":"2030-02-01",)"
    R"("checkOutDate":"2030-05-01","numberOfExtraTenants":1,"platformProviderPaymentValue":683.05,)"
    R"("otaCommissionValue":35,"tenant":{"firstName":"Ada","lastName":"Marsh","email":"ada@guests.example",)"
    R"("fiscalId":"X1234567L","phone":"+34 600 000 000","nationality":"GB"}})";

void decode_submission(benchmark::State& state) {
  const std::string text(whole);
  std::string body;
  for (auto _ : state) {
    body = text;
    body.reserve(text.size() + 64); // simdjson's padding
    benchmark::DoNotOptimize(parse_booking_submission(body));
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(decode_submission);

} // namespace
} // namespace roost::http
