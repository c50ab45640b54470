#include "http/protocol/server_core.hpp"
#include "log/log.hpp"

#include <boost/core/demangle.hpp>

#include <typeinfo>

namespace roost::http {
namespace {

std::string_view pattern_of(const server_core& core, std::size_t route) {
  return route == router::npos ? std::string_view("unmatched") : core.router.entries()[route].pattern;
}

std::string type_name(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& exception) {
    return boost::core::demangle(typeid(exception).name());
  } catch (...) {
    return "not a std::exception";
  }
}

/// A 503 that nobody has to look into: the server is not the writer, and tells everybody who asks.
bool is_expected(const server_core& core, std::size_t route, unsigned status) {
  constexpr unsigned unavailable = 503;
  if (status != unavailable || route == router::npos) return false;
  const auto& definition = core.router.entries()[route].definition;
  return definition.is_probe || (definition.holds && !definition.holds());
}

} // namespace

void record(server_core& core, const request& req, std::size_t route, unsigned status,
            std::chrono::steady_clock::duration took) {
  auto& meter = route == router::npos ? core.unmatched_meter : core.route_meters[route];
  meter.record(status, std::chrono::duration<double>(took).count());

  constexpr unsigned first_refusal = 400;
  const bool reads = req.method == "GET" || req.method == "HEAD";
  const bool notable = (!reads || status >= first_refusal) && !is_expected(core, route, status);
  if (!log::enabled(notable ? log::level::info : log::level::debug)) return;
  const auto write = notable ? log::info : log::debug;
  const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(took).count();
  write("request", {{"listener", core.settings.name},
                    {"method", req.method},
                    {"route", pattern_of(core, route)},
                    {"status", status},
                    {"us", microseconds},
                    {"request_id", req.request_id},
                    {"remote", req.remote_address}});
}

void record_failure(const server_core& core, const request& req, std::size_t route,
                    const std::exception_ptr& failure) {
  log::error("request_failed", {{"listener", core.settings.name},
                                {"method", req.method},
                                {"route", pattern_of(core, route)},
                                {"exception", type_name(failure)},
                                {"request_id", req.request_id}});
}

} // namespace roost::http
