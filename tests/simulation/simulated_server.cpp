#include "simulation/simulated_server.hpp"

#include "http/protocol/request_parser.hpp"
#include "service/conversions.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <utility>

namespace roost::testing {

/// A request with the receiver of its response, which gets an empty one if the server is killed.
struct simulated_server::exchange {
  exchange(std::string bytes, receiver to) : text(std::move(bytes)), receive(std::move(to)) {}
  exchange(const exchange&) = delete;
  exchange& operator=(const exchange&) = delete;
  ~exchange() { finish({}); }

  void finish(simulated_response response) {
    if (receive) std::exchange(receive, {})(std::move(response));
  }

  std::string text; ///< the views of `request` refer to it
  receiver receive;
  http::request request;
  std::size_t route = http::router::npos;
};

namespace {

service_hooks hooks_of(std::shared_ptr<mail::transport> mail) {
  service_hooks hooks;
  hooks.load_scheduler = seeded_scheduler::load;
  hooks.transport = std::move(mail);
  return hooks;
}

http::response rendered(const http::server_core& core, std::size_t route, const http::request& request,
                        const http::error& refusal) {
  if (route == http::router::npos) return http::to_response(refusal);
  const auto& render = core.router.entries()[route].definition.render_error;
  return render ? render(request, refusal) : http::to_response(refusal);
}

/// Returns whether a successful response to a read comes from a server without the lease, whose memory may be
/// outdated. Clients cannot detect this if the server was suspended after it had received the request.
bool lacks_lease(const http::route& route, const http::response& response) {
  constexpr unsigned first_failure = 500;
  return route.method == "GET" && route.holds && response.status < first_failure && !route.holds();
}

/// Returns the first two parts of a streamed body, after which the client closes its connection.
boost::asio::awaitable<std::string> first_parts(const http::body_parts& parts) {
  std::string body;
  for (int i = 0; parts && i < 2; ++i) {
    const auto part = co_await parts();
    if (!part) break;
    body += *part;
  }
  co_return body;
}

} // namespace

simulated_server::simulated_server(const config::settings& settings, std::shared_ptr<mail::transport> mail,
                                   random& random_source, std::function<void()> advance_time,
                                   reporter report_contradiction)
    : random_(random_source), report_contradiction_(std::move(report_contradiction)),
      features_(std::make_unique<features>(settings, hooks_of(std::move(mail)))) {
  auto& runtime = *context().runtime;
  scheduler_ = dynamic_cast<seeded_scheduler*>(&runtime.system().scheduler());
  scheduler_->use_random(random_, [&runtime, advance_time = std::move(advance_time)] {
    if (runtime.poll_io() == 0) advance_time();
  });
  scheduler_->allow_waiting("mail_sender");
  features_->build();
  http::router router;
  for (const auto& each : features_->modules()) each->mount(router);
  core_ = std::make_shared<http::server_core>(to_public_listener(settings), std::move(router),
                                              context().registry);
  features_->start();
}

simulated_server::~simulated_server() {
  if (features_) scheduler_->end_actors();
}

bool simulated_server::step() {
  // Connections also run if there are always runnable actors.
  if (scheduler_->is_ready() && random_() % 4 != 0) {
    scheduler_->run_one(random_);
    return true;
  }
  if (context().runtime->poll_io() > 0) return true;
  if (!scheduler_->is_ready()) return false;
  scheduler_->run_one(random_);
  return true;
}

void simulated_server::request(std::string text, receiver receive) {
  auto with = std::make_shared<exchange>(std::move(text), std::move(receive));
  auto& io = context().runtime->io_contexts().front().get();
  boost::asio::co_spawn(io, respond(std::move(with)), boost::asio::detached);
}

boost::asio::awaitable<void> simulated_server::respond(std::shared_ptr<exchange> with) {
  auto& request = with->request;
  http::response response;
  const auto core = core_;
  try {
    const auto size = with->text.find("\r\n\r\n") + 4;
    http::request_parser parser(core->settings.max_body);
    const auto head = parser.read_head(with->text.data(), size, request);
    request.request_id = "0000000000000000";
    request.remote_address = "192.0.2.1";
    http::admit(*core, head, request, with->route);
    request.body.reserve(with->text.size() - size + 64);
    request.body.assign(with->text, size);
    const auto& route = core->router.entries()[with->route].definition;
    http::check_body(route.body, request);
    const http::workload::request_in_flight counted(core->load, request.prefix, !http::only_reads(route));
    request.load = &core->load;
    if (const auto* immediate = std::get_if<http::immediate_handler>(&route.handle))
      response = (*immediate)(request);
    else
      response = co_await std::get<http::handler>(route.handle)(request);
  } catch (const http::error& refusal) {
    response = rendered(*core, with->route, request, refusal);
  } catch (const actors::ask_error& failed) {
    response = rendered(*core, with->route, request, http::refusal_of(failed));
  }
  if (with->route != http::router::npos &&
      !http::still_holds(core->router.entries()[with->route].definition, response))
    response = rendered(*core, with->route, request, http::busy());
  if (with->route != http::router::npos &&
      lacks_lease(core->router.entries()[with->route].definition, response))
    report_contradiction_("a server without the lease responded to GET " + std::string(request.path));
  const auto streamed = co_await first_parts(response.parts);
  response.body += streamed;
  simulated_response result{response.status, response.fields, {}};
  if (response.shared) {
    result.status = response.shared->status();
    for (const auto& part : response.shared->body().parts()) result.body.append(part.bytes());
  } else {
    result.body = std::move(response.body);
  }
  with->finish(std::move(result));
}

void simulated_server::stop() {
  features_->stop();
  features_.reset(); // destroys the scheduler, too
}

} // namespace roost::testing
