#include "listings.hpp"

#include <benchmark/benchmark.h>
#include <cstring>
#include <iostream>

/// Micro-benchmarks of hot code.
///
/// usage: bench_micro [--benchmark_…]  runs them; --help shows the options of Google Benchmark
///        bench_micro listing KIND     prints the listing that render/KIND writes
namespace {

int print_listing(const char* kind) {
  const auto& all = roost::listings::micro::sample_listings();
  const auto it = all.find(kind);
  if (it == all.end()) {
    std::cerr << "bench_micro: there is no listing '" << kind << "'\n";
    return 2;
  }
  roost::json::writer json;
  it->second.write(json);
  std::cout << json.text() << '\n';
  return 0;
}

} // namespace

int main(int count, char** words) {
  if (count == 3 && std::strcmp(words[1], "listing") == 0) return print_listing(words[2]);
  benchmark::Initialize(&count, words);
  if (benchmark::ReportUnrecognizedArguments(count, words)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
