#include "listings.hpp"

#include <benchmark/benchmark.h>

/// The text of one listing, of every kind.
namespace roost::listings::micro {

namespace {

void render(benchmark::State& state, const sample_listing& listing) {
  json::writer json;
  for (auto _ : state) {
    json.clear();
    listing.write(json);
    benchmark::DoNotOptimize(json.text().data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * json.text().size()));
}

[[maybe_unused]] const bool all_kinds_are_registered = [] {
  for (const auto& [kind, listing] : sample_listings())
    benchmark::RegisterBenchmark(("render/" + std::string(kind)).c_str(),
                                 [&each = listing](benchmark::State& state) { render(state, each); });
  return true;
}();

} // namespace
} // namespace roost::listings::micro
