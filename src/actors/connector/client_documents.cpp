#include "actors/connector/client_documents.hpp"

#include "actors/connector/outcome_cache.hpp"
#include "log/log.hpp"

#include <caf/stateful_actor.hpp>

#include <algorithm>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>

namespace roost::actors {

/// A job of the thread that fetches.
struct read_client_document {
  std::string url;
};

struct client_document_read {
  std::optional<client_document_verdict> verdict; ///< nothing: the document cannot be had at the moment
  std::chrono::seconds fresh{};
  std::string failure; ///< of the fetch; one line
};

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::read_client_document)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::client_document_read)

namespace roost::actors {

namespace {

const auto documents_category = caf::atom("clientdocs");

using document_reader = caf::typed_actor<caf::replies_to<read_client_document>::with<client_document_read>>;
using document_fetch = std::function<fetch::fetched(const std::string& url)>;

client_document_read read_document(const client_document_policy& policy, const document_fetch& fetch,
                                   const std::string& url) {
  try {
    const auto document = fetch(url);
    return {policy.judge(url, document.body), document.fresh, {}};
  } catch (const fetch::fetch_failed& failed) {
    client_document_read read{{}, {}, failed.what()};
    if (failed.kind() != fetch::fetch_failure::unavailable)
      read.verdict = client_document_refusal::no_document;
    return read;
  }
}

struct reader_state {
  static constexpr const char* name = "document_reader";
};

document_reader::behavior_type document_reader_behavior(document_reader::stateful_pointer<reader_state>,
                                                        client_document_policy policy, document_fetch fetch) {
  return {[policy = std::move(policy), fetch = std::move(fetch)](const read_client_document& job) {
    return read_document(policy, fetch, job.url);
  }};
}

/// Keeps what was fetched, and hands the addresses that are asked for to the reader, one at a time.
class documents_state {
public:
  static constexpr const char* name = "client_documents";
  using self_pointer = client_documents::stateful_pointer<documents_state>;
  using time_point = deadline::clock::time_point;

  void open(self_pointer self, document_reader reader, client_documents_setup setup) {
    self_ = self;
    setup_ = std::move(setup);
    reader_ = std::move(reader);
    self->link_to(reader_); // it ends with this actor
    clients_.emplace(setup_.max_kept);
    failures_.emplace(setup_.max_kept);
    named("fetched"); // exists from the beginning
  }

  caf::result<fetched_client> fetch(const fetch_client& asked) {
    if (!setup_.policy.allows_address(asked.url))
      return counted(fetched_client{client_document_refusal::bad_address}, "bad_address");
    const auto now = setup_.elapsed();
    if (const auto* client = clients_->find(asked.url, now)) return counted(fetched_client{*client}, "kept");
    if (const auto* failure = failures_->find(asked.url, now)) return counted(told(*failure), "kept");
    if (waiting_ >= setup_.max_waiting)
      return counted<caf::error>(make_error(client_documents_error::busy), "busy");
    auto answer = self_->make_response_promise<fetched_client>();
    wait(asked, answer);
    return answer;
  }

private:
  /// Why there is no client; nothing: nobody knows.
  using failure = std::optional<client_document_refusal>;
  using promise = caf::typed_response_promise<fetched_client>;
  struct asker {
    promise answer;
    deadline until;
  };

  static caf::result<fetched_client> told(const failure& why) {
    if (why) return fetched_client{*why};
    return make_error(client_documents_error::unavailable);
  }

  void wait(const fetch_client& asked, promise answer) {
    auto& askers = askers_[asked.url];
    if (askers.empty()) urls_.push_back(asked.url);
    askers.push_back({std::move(answer), asked.until});
    ++waiting_;
    if (!reading_) read_next();
  }

  /// Those who asked for it, who wait no more.
  std::vector<asker> take_askers(const std::string& url) {
    auto askers = std::move(askers_.extract(url).mapped());
    waiting_ -= askers.size();
    return askers;
  }

  void read_next() {
    reading_ = false;
    while (!urls_.empty() && !reading_) {
      const auto url = std::move(urls_.front());
      urls_.pop_front();
      if (std::ranges::all_of(askers_.at(url), [](const asker& each) { return each.until.has_passed(); }))
        deliver(take_askers(url), make_error(client_documents_error::too_late), "too_late");
      else
        read(url);
    }
  }

  void read(const std::string& url) {
    reading_ = true;
    self_->request(reader_, caf::infinite, read_client_document{url})
        .then([this, url](client_document_read& done) { take(url, done); });
  }

  void take(const std::string& url, client_document_read& done) {
    if (done.verdict && std::holds_alternative<store::oauth_client>(*done.verdict)) {
      const auto kept = std::clamp(done.fresh, setup_.kept_at_least, setup_.kept_at_most);
      log::info("client_document_fetched", {{"url", url}, {"kept_s", std::int64_t{kept.count()}}});
      clients_->put(url, std::get<store::oauth_client>(*done.verdict), setup_.elapsed() + kept);
      deliver(take_askers(url), fetched_client{std::move(*done.verdict)}, "fetched");
    } else {
      refuse(url, done);
    }
    read_next();
  }

  void refuse(const std::string& url, const client_document_read& done) {
    const auto until = setup_.elapsed() + setup_.failure_kept;
    if (!done.verdict) {
      log::warn("client_document_unavailable", {{"url", url}, {"what", done.failure}});
      failures_->put(url, {}, until);
      return deliver(take_askers(url), make_error(client_documents_error::unavailable), "unavailable");
    }
    const auto why = std::get<client_document_refusal>(*done.verdict);
    log::info("client_document_refused", {{"url", url}, {"why", to_string(why)}, {"what", done.failure}});
    failures_->put(url, why, until);
    deliver(take_askers(url), fetched_client{why}, to_string(why));
  }

  template <typename Answer>
  void deliver(std::vector<asker> askers, const Answer& answer, std::string_view outcome) {
    for (auto& each : askers) each.answer.deliver(counted(answer, outcome));
  }

  template <typename Answer>
  Answer counted(Answer answer, std::string_view outcome) {
    named(outcome).increment();
    return answer;
  }

  metrics::counter named(std::string_view outcome) {
    return setup_.registry->counter("roost_client_documents_total",
                                    "Clients that were asked for by the address of a document",
                                    {{"outcome", std::string(outcome)}});
  }

  self_pointer self_ = nullptr;
  client_documents_setup setup_;
  document_reader reader_;
  std::optional<outcome_cache<store::oauth_client>> clients_;
  std::optional<outcome_cache<failure>> failures_; ///< apart, so that they push out no client
  std::deque<std::string> urls_;                   ///< in the order in which they came
  std::unordered_map<std::string, std::vector<asker>> askers_;
  std::size_t waiting_ = 0; ///< askers
  bool reading_ = false;
};

client_documents::behavior_type
client_documents_behavior(client_documents::stateful_pointer<documents_state> self, document_reader reader,
                          client_documents_setup setup) {
  auto& state = self->state;
  state.open(self, std::move(reader), std::move(setup));
  return {[&state](const fetch_client& asked) { return state.fetch(asked); }};
}

} // namespace

caf::error make_error(client_documents_error why) {
  return {static_cast<std::uint8_t>(why), documents_category};
}

client_documents spawn_client_documents(runtime& rt, client_documents_setup setup) {
  auto reader = rt.spawn_detached(document_reader_behavior, setup.policy, setup.fetch);
  return rt.spawn_at(0, client_documents_behavior, std::move(reader), std::move(setup));
}

} // namespace roost::actors
