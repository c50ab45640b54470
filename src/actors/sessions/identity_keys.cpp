#include "actors/sessions/identity_keys.hpp"

#include "log/log.hpp"

#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace roost::actors {

namespace {

[[noreturn]] void fail(const std::string& path, const std::string& error) {
  throw std::runtime_error("cannot read " + path + ": " + error);
}

std::string read_file(const std::string& path, std::size_t max_size) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text(max_size + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.is_open() || file.bad()) fail(path, std::generic_category().message(errno));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > max_size) fail(path, "it is too long");
  return text;
}

const auto identity_category = caf::atom("identity");

class identity_keys_state : public actor_state<identity_keys> {
public:
  static constexpr const char* name = "identity_keys";
  using actor_state::actor_state;

  behavior open(identity_keys_setup setup) {
    setup_ = std::move(setup);
    tokens("verified"); // exists from the start: a counter created by its first event shows no increase
    for (const auto* outcome : {"done", "failed"}) reads(outcome);
    return {[this](const verify_identity& request) { return verify(request); }};
  }

  caf::result<identity_checked> verify(const verify_identity& request) {
    if (request.until.has_passed()) return make_error(identity_error::too_late);
    if (!keys_ || has_elapsed(read_at_, setup_.max_age)) read();
    if (!keys_) {
      record_refusal("keys_unavailable", request.origin);
      return make_error(identity_error::keys_unavailable);
    }
    auto verdict = check(request.token);
    if (verdict == security::identity_verdict{security::identity_refusal::unknown_key} && read())
      verdict = check(request.token);
    if (const auto* refusal = std::get_if<security::identity_refusal>(&verdict))
      record_refusal(security::to_string(*refusal), request.origin);
    else
      tokens("verified").increment();
    return identity_checked{std::move(verdict)};
  }

private:
  using optional_time = std::optional<deadline::clock::time_point>;

  bool has_elapsed(const optional_time& since, std::chrono::seconds duration) const {
    return !since || setup_.elapsed() >= *since + duration;
  }

  security::identity_verdict check(const std::string& token) const {
    return security::verify_identity_token(*keys_, setup_.expected, token, setup_.now());
  }

  /// Reads the keys unless it is too early; returns whether it did.
  bool read() {
    if (!has_elapsed(tried_at_, keys_ ? setup_.min_reload_interval : setup_.retry_interval)) return false;
    try {
      security::identity_key_set keys(setup_.source());
      keys_ = std::move(keys);
      tried_at_ = read_at_ = setup_.elapsed();
      reads("done").increment();
      return true;
    } catch (const std::exception& error) {
      tried_at_ = setup_.elapsed(); // measured afterwards: reading may take long
      reads("failed").increment();
      log::warn("identity_keys_unreadable", {{"what", error.what()}, {"older_ones", keys_.has_value()}});
      return false;
    }
  }

  /// Never logs token contents: they are untrusted.
  void record_refusal(std::string_view reason, const request_origin& origin) {
    tokens(reason).increment();
    log::info("identity_token_refused",
              {{"reason", reason}, {"remote", origin.address}, {"request_id", origin.request_id}});
  }

  metrics::counter tokens(std::string_view outcome) {
    return setup_.registry->counter("roost_identity_tokens_total", "Third-party identity tokens by outcome",
                                    {{"outcome", std::string(outcome)}});
  }

  metrics::counter reads(const char* outcome) {
    return setup_.registry->counter("roost_identity_keys_reads_total",
                                    "Reads of the issuer's keys, by outcome", {{"outcome", outcome}});
  }

  identity_keys_setup setup_;
  std::optional<security::identity_key_set> keys_;
  optional_time read_at_, tried_at_;
};

} // namespace

key_source key_source_at(std::string place, fetch::fetch_limits limits) {
  if (place.starts_with("https://"))
    return [place = std::move(place), limits = std::move(limits)] {
      return fetch::https_get(place, limits).body;
    };
  return [place = std::move(place), max_size = limits.bytes] { return read_file(place, max_size); };
}

std::optional<std::string> key_source_error(const key_source& source) {
  try {
    static_cast<void>(security::identity_key_set(source()));
    return std::nullopt;
  } catch (const std::exception& error) {
    return error.what();
  }
}

caf::error make_error(identity_error error) { return {static_cast<std::uint8_t>(error), identity_category}; }

identity_keys spawn_identity_keys(runtime& rt, identity_keys_setup setup) {
  return rt.spawn_detached<identity_keys_state>(std::move(setup));
}

} // namespace roost::actors
