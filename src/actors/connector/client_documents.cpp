#include "actors/connector/client_documents.hpp"

#include "actors/connector/outcome_cache.hpp"
#include "domain/entered_text.hpp"
#include "json/long_numbers.hpp"
#include "log/log.hpp"
#include "oauth/client.hpp"

#include <rapidjson/document.h>

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace roost::actors {

/// A job for the fetching thread.
struct read_client_document {
  std::string url;
};

struct client_document_read {
  std::optional<client_document_verdict> verdict; ///< nullopt if the document is unavailable
  std::chrono::seconds max_age{};                 ///< from the response's header
  std::string error;                              ///< of the fetch; one line
};

namespace {

using json_value = rapidjson::Value;
using enum client_document_refusal;

/// Thrown for an unusable document.
struct unusable_document {
  client_document_refusal reason;
};

/// Returns a text, which must not contain NUL: no column of the store accepts it.
std::string_view text_of(const json_value& value) {
  if (!value.IsString()) throw unusable_document{malformed};
  const std::string_view text{value.GetString(), value.GetStringLength()};
  if (text.find('\0') != std::string_view::npos) throw unusable_document{malformed};
  return text;
}

/// Returns null if the member is missing or null, which registration does not distinguish, either.
const json_value* value_at(const json_value& object, const char* name) {
  const auto member = object.FindMember(name);
  return member == object.MemberEnd() || member->value.IsNull() ? nullptr : &member->value;
}

std::optional<std::string> text_at(const json_value& object, const char* name) {
  const auto* value = value_at(object, name);
  if (!value) return std::nullopt;
  return std::string(text_of(*value));
}

std::vector<std::string> texts_at(const json_value& object, const char* name) {
  std::vector<std::string> texts;
  const auto* value = value_at(object, name);
  if (!value) return texts;
  if (!value->IsArray()) throw unusable_document{malformed};
  for (const auto& item : value->GetArray()) texts.emplace_back(text_of(item));
  return texts;
}

/// Duplicate members are rejected, because other programs may use the other one.
bool has_unique_members(const json_value& object) {
  std::set<std::string_view> names;
  return std::ranges::all_of(object.GetObject(),
                             [&](const auto& member) { return names.insert(text_of(member.name)).second; });
}

const auto documents_category = caf::atom("clientdocs");

using document_reader = caf::typed_actor<caf::replies_to<read_client_document>::with<client_document_read>>;
using document_fetch = std::function<fetch::fetched(const std::string& url)>;

client_document_read read_document(const client_document_policy& policy, const document_fetch& fetch,
                                   const std::string& url) {
  try {
    const auto document = fetch(url);
    return {policy.check(url, document.body), document.fresh, {}};
  } catch (const fetch::fetch_failed& error) {
    client_document_read read{{}, {}, error.what()};
    if (error.kind() != fetch::fetch_failure::unavailable)
      read.verdict = client_document_refusal::no_document;
    return read;
  }
}

struct reader_state : actor_state<document_reader> {
  static constexpr const char* name = "document_reader";
  using actor_state::actor_state;

  static behavior open(client_document_policy policy, document_fetch fetch) {
    return {[policy = std::move(policy), fetch = std::move(fetch)](const read_client_document& job) {
      return read_document(policy, fetch, job.url);
    }};
  }
};

/// Caches results and sends requested URLs to the readers, one at a time to each.
class documents_state : public actor_state<client_documents> {
public:
  static constexpr const char* name = "client_documents";
  using actor_state::actor_state;
  using time_point = deadline::clock::time_point;

  behavior open(std::vector<document_reader> readers, client_documents_setup setup) {
    setup_ = std::move(setup);
    idle_ = std::move(readers);
    for (const auto& reader : idle_) self_->link_to(reader); // they end with this actor
    clients_.emplace(setup_.max_cached);
    failures_.emplace(setup_.max_cached);
    counter_of("fetched"); // exists from the start
    return {[this](const fetch_client& request) { return fetch(request); }};
  }

  caf::result<fetched_client> fetch(const fetch_client& request) {
    if (!setup_.policy.allows_address(request.url)) {
      log::info("client_document_refused", {{"url", request.url},
                                            {"why", to_string(bad_address)},
                                            {"remote", request.origin.address},
                                            {"request_id", request.origin.request_id}});
      return counted(fetched_client{bad_address}, "bad_address");
    }
    const auto now = setup_.elapsed();
    if (const auto* client = clients_->find(request.url, now))
      return counted(fetched_client{*client}, "kept");
    if (const auto* failure = failures_->find(request.url, now))
      return counted(response_for(*failure), "kept");
    if (waiting_ >= setup_.max_waiting)
      return counted<caf::error>(make_error(client_documents_error::busy), "busy");
    auto response = self_->make_response_promise<fetched_client>();
    auto& requests = requests_[request.url];
    if (requests.empty()) urls_.push_back(request.url);
    requests.push_back({response, request.until, request.origin});
    ++waiting_;
    read_next();
    return response;
  }

private:
  /// Why there is no client; nullopt if the document is unavailable.
  using failure = std::optional<client_document_refusal>;
  struct waiting_request {
    caf::typed_response_promise<fetched_client> response;
    deadline until;
    request_origin origin;
  };

  static caf::result<fetched_client> response_for(const failure& reason) {
    if (reason) return fetched_client{*reason};
    return make_error(client_documents_error::unavailable);
  }

  /// Returns the origin of the oldest request that waits for a URL, for the log.
  const request_origin& origin_of_first(const std::string& url) const {
    return requests_.at(url).front().origin;
  }

  /// Removes and returns the requests that wait for a URL.
  std::vector<waiting_request> take_requests(const std::string& url) {
    auto requests = std::move(requests_.extract(url).mapped());
    waiting_ -= requests.size();
    return requests;
  }

  /// Sends the next URLs to idle readers.
  void read_next() {
    while (!urls_.empty() && !idle_.empty()) {
      const auto url = std::move(urls_.front());
      urls_.pop_front();
      if (std::ranges::all_of(requests_.at(url),
                              [](const waiting_request& request) { return request.until.has_passed(); }))
        deliver(take_requests(url), make_error(client_documents_error::too_late), "too_late");
      else
        read(url);
    }
  }

  void read(const std::string& url) {
    const auto reader = std::move(idle_.back());
    idle_.pop_back();
    self_->request(reader, caf::infinite, read_client_document{url})
        .then([this, url, reader](client_document_read& result) {
          idle_.push_back(reader);
          finish(url, result);
        });
  }

  void finish(const std::string& url, client_document_read& result) {
    if (result.verdict && std::holds_alternative<store::oauth_client>(*result.verdict)) {
      const auto lifetime = std::clamp(result.max_age, setup_.min_cache_time, setup_.max_cache_time);
      const auto& origin = origin_of_first(url);
      log::info("client_document_fetched", {{"url", url},
                                            {"kept_s", std::int64_t{lifetime.count()}},
                                            {"remote", origin.address},
                                            {"request_id", origin.request_id}});
      clients_->put(url, std::get<store::oauth_client>(*result.verdict), setup_.elapsed() + lifetime);
      deliver(take_requests(url), fetched_client{std::move(*result.verdict)}, "fetched");
    } else {
      refuse(url, result);
    }
    read_next();
  }

  void refuse(const std::string& url, const client_document_read& result) {
    const auto until = setup_.elapsed() + setup_.failure_cache_time;
    const auto& origin = origin_of_first(url);
    if (!result.verdict) {
      log::warn("client_document_unavailable", {{"url", url},
                                                {"what", result.error},
                                                {"remote", origin.address},
                                                {"request_id", origin.request_id}});
      failures_->put(url, {}, until);
      return deliver(take_requests(url), make_error(client_documents_error::unavailable), "unavailable");
    }
    const auto refusal = std::get<client_document_refusal>(*result.verdict);
    log::info("client_document_refused", {{"url", url},
                                          {"why", to_string(refusal)},
                                          {"what", result.error},
                                          {"remote", origin.address},
                                          {"request_id", origin.request_id}});
    failures_->put(url, refusal, until);
    deliver(take_requests(url), fetched_client{refusal}, to_string(refusal));
  }

  template <typename Response>
  void deliver(std::vector<waiting_request> requests, const Response& response, std::string_view outcome) {
    for (auto& request : requests) request.response.deliver(counted(response, outcome));
  }

  /// Counts a response and returns it.
  template <typename Response>
  Response counted(Response response, std::string_view outcome) {
    counter_of(outcome).increment();
    return response;
  }

  metrics::counter counter_of(std::string_view outcome) {
    return setup_.registry->counter("roost_client_documents_total",
                                    "Clients identified by the URL of a document, by outcome",
                                    {{"outcome", std::string(outcome)}});
  }

  client_documents_setup setup_;
  std::vector<document_reader> idle_;
  std::optional<outcome_cache<store::oauth_client>> clients_;
  std::optional<outcome_cache<failure>> failures_; ///< separate, so that failures evict no client
  std::deque<std::string> urls_;                   ///< in order of arrival
  std::unordered_map<std::string, std::vector<waiting_request>> requests_; ///< by URL
  std::size_t waiting_ = 0;                                                ///< number of requests
};

} // namespace

std::string_view to_string(client_document_refusal refusal) {
  constexpr std::array<std::string_view, 6> names{"bad_address",  "no_document",  "malformed",
                                                  "other_client", "bad_redirect", "needs_secret"};
  return names[static_cast<std::size_t>(refusal)];
}

std::string host_of_document(std::string_view url) {
  const auto address = oauth::parse_web_address(url);
  return address ? address->origin().substr(address->scheme.size() + std::string_view("://").size())
                 : std::string(url);
}

client_document_policy::client_document_policy(const std::vector<std::string>& hosts,
                                               oauth::redirect_policy redirects)
    : redirects_(std::move(redirects)) {
  for (const auto& host : hosts)
    if (host == "*")
      any_host_ = true;
    else if (const auto address = oauth::parse_web_address("https://" + host); address)
      origins_.push_back(address->origin());
}

bool client_document_policy::allows_address(std::string_view url) const {
  if (!is_document_address(url)) return false;
  const auto address = oauth::parse_web_address(url);
  return address && address->path.size() > 1 && (any_host_ || lists(*address));
}

bool client_document_policy::lists_host_of(std::string_view url) const {
  const auto address = oauth::parse_web_address(url);
  return address && lists(*address);
}

bool client_document_policy::lists(const oauth::web_address& address) const {
  return std::ranges::find(origins_, address.origin()) != origins_.end();
}

client_document_verdict client_document_policy::check(std::string_view url, std::string_view document) const {
  // The parser would take a NUL for the end of the document.
  if (document.find('\0') != std::string_view::npos) return malformed;
  constexpr unsigned strict = rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag;
  const auto text = json::without_long_numbers(domain::without_byte_order_mark(document)); // it reads none
  rapidjson::Document parsed;
  parsed.Parse<strict>(text.data(), text.size());
  if (parsed.HasParseError() || !parsed.IsObject()) return malformed;
  try {
    if (!has_unique_members(parsed)) return malformed;
    if (text_at(parsed, "client_id") != url) return other_client;
    if (text_at(parsed, "token_endpoint_auth_method").value_or(std::string(store::public_client)) !=
            store::public_client ||
        parsed.HasMember("client_secret") || parsed.HasMember("client_secret_expires_at"))
      return needs_secret;
    store::oauth_client client;
    client.id = url;
    client.redirect_uris = texts_at(parsed, "redirect_uris");
    std::erase_if(client.redirect_uris, [this](const auto& uri) { return !redirects_.allows(uri); });
    if (client.redirect_uris.empty()) return bad_redirect;
    client.name = oauth::stored_client_name(text_at(parsed, "client_name").value_or(""));
    if (client.name->empty()) client.name = host_of_document(url);
    client.grant_types = oauth::stored_grant_types(texts_at(parsed, "grant_types"));
    client.scope = text_at(parsed, "scope");
    return client;
  } catch (const unusable_document& error) {
    return error.reason;
  }
}

caf::error make_error(client_documents_error error) {
  return {static_cast<std::uint8_t>(error), documents_category};
}

client_documents spawn_client_documents(runtime& rt, client_documents_setup setup) {
  std::vector<document_reader> readers;
  for (std::size_t i = 0; i < setup.threads; ++i)
    readers.push_back(rt.spawn_detached<reader_state>(setup.policy, setup.fetch));
  return rt.spawn_at<documents_state>(0, std::move(readers), std::move(setup));
}

} // namespace roost::actors
