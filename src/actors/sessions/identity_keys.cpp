#include "actors/sessions/identity_keys.hpp"

#include "log/log.hpp"
#include "security/identity_token.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <cerrno>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace roost::actors {

namespace {

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw std::runtime_error("cannot read " + path + ": " + why);
}

std::string read_file(const std::string& path, std::size_t most) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text(most + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.is_open() || file.bad()) fail(path, std::generic_category().message(errno));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > most) fail(path, "it is too long");
  return text;
}

} // namespace

key_source key_source_at(std::string place, fetch::fetch_limits limits) {
  if (place.starts_with("https://"))
    return [place = std::move(place), limits = std::move(limits)] {
      return fetch::https_get(place, limits).body;
    };
  return [place = std::move(place), most = limits.bytes] { return read_file(place, most); };
}

std::optional<std::string> fault_of(const key_source& source) {
  try {
    static_cast<void>(security::identity_key_set(source()));
    return std::nullopt;
  } catch (const std::exception& failed) {
    return failed.what();
  }
}

namespace {

const auto identity_category = caf::atom("identity");

class identity_keys_state {
public:
  static constexpr const char* name = "identity_keys";

  void open(identity_keys_setup setup) {
    setup_ = std::move(setup);
    tokens("verified"); // a counter that begins with its first event has no growth to be seen
    for (const auto* outcome : {"done", "failed"}) readings(outcome);
  }

  caf::result<identity_checked> verify(const verify_identity& asked) {
    if (asked.until.has_passed()) return make_error(identity_error::too_late);
    if (!keys_ || is_over(read_at_, setup_.kept)) read();
    if (!keys_) {
      refused("keys_unavailable");
      return make_error(identity_error::keys_unavailable);
    }
    auto verdict = judge(asked.token);
    if (verdict == security::identity_verdict{security::identity_refusal::unknown_key} && read())
      verdict = judge(asked.token);
    if (const auto* why = std::get_if<security::identity_refusal>(&verdict))
      refused(security::to_string(*why));
    else
      tokens("verified").increment();
    return identity_checked{std::move(verdict)};
  }

private:
  using moment = std::optional<deadline::clock::time_point>;

  bool is_over(const moment& since, std::chrono::seconds time) const {
    return !since || setup_.elapsed() >= *since + time;
  }

  security::identity_verdict judge(const std::string& token) const {
    return security::verify_identity_token(*keys_, setup_.expected, token, setup_.now());
  }

  /// Whether there are new keys now.
  bool read() {
    if (!is_over(tried_at_, keys_ ? setup_.read_again : setup_.try_again)) return false;
    try {
      security::identity_key_set fresh(setup_.source());
      keys_ = std::move(fresh);
      tried_at_ = read_at_ = setup_.elapsed();
      readings("done").increment();
      return true;
    } catch (const std::exception& why) {
      tried_at_ = setup_.elapsed(); // after what may have taken its time
      readings("failed").increment();
      log::warn("identity_keys_unreadable", {{"what", why.what()}, {"older_ones", keys_.has_value()}});
      return false;
    }
  }

  /// Of the token nothing is told: it is a stranger's word.
  void refused(std::string_view why) {
    tokens(why).increment();
    log::info("identity_token_refused", {{"reason", why}});
  }

  metrics::counter tokens(std::string_view outcome) {
    return setup_.registry->counter("roost_identity_tokens_total", "Third-party identity tokens by outcome",
                                    {{"outcome", std::string(outcome)}});
  }

  metrics::counter readings(const char* outcome) {
    return setup_.registry->counter("roost_identity_keys_reads_total",
                                    "How often the issuer's keys were read, by outcome",
                                    {{"outcome", outcome}});
  }

  identity_keys_setup setup_;
  std::optional<security::identity_key_set> keys_;
  moment read_at_, tried_at_;
};

identity_keys::behavior_type identity_keys_behavior(identity_keys::stateful_pointer<identity_keys_state> self,
                                                    identity_keys_setup setup) {
  auto& state = self->state;
  state.open(std::move(setup));
  return {[&state](const verify_identity& asked) { return state.verify(asked); }};
}

} // namespace

caf::error make_error(identity_error why) { return {static_cast<std::uint8_t>(why), identity_category}; }

identity_keys spawn_identity_keys(runtime& rt, identity_keys_setup setup) {
  return rt.spawn_detached(identity_keys_behavior, std::move(setup));
}

} // namespace roost::actors
