-- Prints one machine-readable line at the end of a run: responses, microseconds, bytes, errors, p50 and p99 in ms.
function done(summary, latency)
  local e = summary.errors
  local errors = e.connect + e.read + e.write + e.status + e.timeout
  print(string.format("result %d %d %d %d %.3f %.3f", summary.requests, summary.duration, summary.bytes,
    errors, latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
