#include "service/service.hpp"

#include "actors/bookings/booking_queue.hpp"
#include "actors/feeds/feed.hpp"
#include "actors/inventory/portfolio_loader.hpp"
#include "actors/mailing/mailer.hpp"
#include "actors/runtime/lease_keeper.hpp"
#include "domain/full_listing.hpp"
#include "http/documents/explorer.hpp"
#include "http/documents/openapi.hpp"
#include "http/operations/ops_routes.hpp"
#include "http/partner/booking_routes.hpp"
#include "http/partner/calendar_routes.hpp"
#include "http/partner/engine_routes.hpp"
#include "http/partner/full_feed_routes.hpp"
#include "http/partner/listing_routes.hpp"
#include "http/partner/partner_services.hpp"
#include "http/partner/webhook_routes.hpp"
#include "http/protocol/server.hpp"
#include "log/log.hpp"
#include "metrics/registry.hpp"
#include "security/random.hpp"
#include "security/secrets.hpp"
#include "service/conversions.hpp"
#include "service/feed_metrics.hpp"
#include "store/credentials/credentials.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <caf/all.hpp>

#include <algorithm>
#include <unistd.h>

namespace roost {

namespace {

constexpr std::chrono::seconds actor_patience{15}; // at shutdown, for one actor's last answer

/// Unique to one run of one server.
std::string node_name() {
  char host[256] = "localhost";
  gethostname(host, sizeof host - 1);
  return std::string{host} + "/" + std::to_string(getpid()) + "/" +
         domain::to_string(security::random_uuid());
}

/// Tells an actor something and waits for its answer; what does not come in time is not waited for.
template <typename Handle, typename Message>
void tell_and_wait(caf::actor_system& system, const Handle& to, Message message) {
  if (!to) return;
  caf::scoped_actor self{system};
  self->request(to, actor_patience, std::move(message))
      .receive([] {}, [](const caf::error&) { log::warn("shutdown_answer_missing"); });
}

std::shared_ptr<const actors::feed_document> make_published_feed(actors::feed_text text) {
  return std::make_shared<const http::published_feed>(std::move(text));
}

/// The routes of a prefix, their document, and the explorer that shows it.
void mount(http::router& on, const http::documented_api& of, std::vector<http::route> routes) {
  on.mount("", {http::openapi_route(of, routes)});
  routes.push_back(http::explorer_page());
  on.mount("/" + of.prefix, std::move(routes));
}

template <typename Handle>
void end(Handle& actor) {
  if (actor) caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
  actor = nullptr;
}

} // namespace

/// In the order of construction: what is named later uses what is named before it.
struct service::parts {
  parts(const config::settings& given, service_hooks with);

  /// After a throw, stop() ends what was built so far.
  void build();
  void start();
  void stop();

  config::settings settings;
  service_hooks hooks;
  metrics::registry registry;
  security::token_verifier tokens;
  actors::published<actors::directory> directory;
  actors::published<std::vector<std::string>> webhook_key_hashes;
  actors::published<std::vector<http::live_account_key>> account_keys;
  std::shared_ptr<actors::change_clock> changes = std::make_shared<actors::change_clock>();
  std::shared_ptr<actors::held_lease> lease = std::make_shared<actors::held_lease>();
  std::shared_ptr<actors::store_health> health = std::make_shared<actors::store_health>();
  http::partner_services partners;
  std::optional<actors::runtime> runtime;
  std::optional<actors::storage_pool> storage;
  actors::feed_assembler assembler;
  std::shared_ptr<mail::transport> transport;
  actors::mailer mailer;
  actors::booking_queue queue;
  actors::portfolio_loader loader;
  actors::lease_keeper keeper;
  std::optional<http::server> listener, ops_listener;
  bool stopped = false;

private:
  void spawn_feeds();
  actors::full_feed spawn_full_feed(std::size_t platform);
  void spawn_booking_actors();
  void spawn_portfolio_loader();
  void spawn_booking_engine();
  void reload_credentials(store::session& db);
  http::router partner_router();
  std::vector<http::readiness_check> readiness();
  void export_metrics();
  bool drain();
};

service::parts::parts(const config::settings& given, service_hooks with)
    : settings(given), hooks(std::move(with)),
      tokens(security::secrets::load_or_create(given.secrets.file).token_key) {
  partners.platforms = std::make_shared<const std::vector<domain::platform>>(settings.platforms);
  partners.short_term_hosts = settings.short_term_hosts;
  partners.directory = &directory;
  partners.lease = lease;
  partners.tokens = &tokens;
  partners.webhook_key_hashes = &webhook_key_hashes;
  partners.account_keys = &account_keys;
  partners.now = hooks.now;
  partners.new_id = [now = hooks.now] { return security::time_ordered_uuid(now()); };
}

void service::parts::build() {
  runtime.emplace(to_knobs(settings));
  storage.emplace(runtime->system(), settings.store.url, settings.store.sessions, registry);
  spawn_feeds();
  spawn_booking_actors();
  spawn_portfolio_loader();
  spawn_booking_engine();
  listener.emplace(to_public_listener(settings), partner_router(), registry, runtime->io_contexts());
  ops_listener.emplace(to_ops_listener(settings), http::make_ops_router(registry, readiness()), registry,
                       runtime->io_contexts());
  export_metrics();
}

void service::parts::spawn_feeds() {
  assembler = actors::spawn_feed_assembler(*runtime);
  const auto& platforms = *partners.platforms;
  for (std::size_t i = 0; i < platforms.size(); ++i) {
    auto& feed = partners.feeds.emplace_back();
    feed.snapshot = std::make_unique<actors::published<actors::feed_snapshot>>();
    actors::feed_setup setup;
    setup.platform = i;
    setup.name = platforms[i].name;
    setup.interval = settings.feeds.rebuild;
    setup.first_interval = settings.feeds.rebuild * (i + 1) / platforms.size();
    setup.now = hooks.now;
    setup.directory = &directory;
    setup.changes = changes;
    setup.snapshot = feed.snapshot.get();
    setup.maker = make_published_feed;
    setup.registry = &registry;
    feed.actor = actors::spawn_feed(*runtime, assembler, std::move(setup));
    partners.full_feeds.push_back(spawn_full_feed(i));
  }
}

actors::full_feed service::parts::spawn_full_feed(std::size_t platform) {
  if (!domain::has_full_feed((*partners.platforms)[platform].kind)) return {};
  actors::full_feed_setup setup;
  setup.platform = platform;
  setup.platforms = partners.platforms;
  setup.interval = settings.feeds.rebuild;
  setup.now = hooks.now;
  setup.known = &directory;
  setup.storage = storage->at(actors::storage_pool::lane::reads_and_mail);
  setup.assembler = assembler;
  setup.maker = make_published_feed;
  setup.registry = &registry;
  return actors::spawn_full_feed(*runtime, std::move(setup));
}

void service::parts::spawn_booking_actors() {
  using lane = actors::storage_pool::lane;
  actors::mailer_setup mail;
  mail.storage = storage->at(lane::reads_and_mail);
  mail.lease = lease;
  mail.transport = transport = to_transport(settings.mail);
  mail.now = hooks.now;
  mail.registry = &registry;
  mailer = actors::spawn_mailer(*runtime, std::move(mail));

  actors::booking_queue_setup decisions;
  decisions.decisions = {partners.platforms, hooks.now, partners.new_id};
  decisions.cycle = settings.bookings.cycle;
  decisions.writing = storage->at(lane::decisions);
  decisions.reading = storage->at(lane::reads_and_mail);
  decisions.lease = lease;
  decisions.directory = &directory;
  decisions.mailer = mailer;
  decisions.registry = &registry;
  queue = actors::spawn_booking_queue(*runtime, std::move(decisions));

  partners.intake = actors::spawn_booking_intake(*runtime, storage->acknowledging(), lease, registry);
  partners.platform_bookings = actors::spawn_platform_bookings(*runtime, {storage->at(lane::reads_and_mail),
                                                                          storage->at(lane::acknowledgements),
                                                                          lease, hooks.now, partners.new_id});
}

void service::parts::spawn_portfolio_loader() {
  actors::portfolio_loader_setup setup;
  setup.store_url = settings.store.url;
  setup.platforms = partners.platforms;
  setup.now = hooks.now;
  setup.lease = lease;
  setup.directory = &directory;
  std::vector<actors::feed> feeds;
  for (const auto& feed : partners.feeds) feeds.push_back(feed.actor);
  setup.directory_published = [feeds = std::move(feeds)] {
    for (const auto& feed : feeds) caf::anon_send(feed, actors::rebuild_feed{});
  };
  setup.changes = changes;
  setup.is_notified = [this](const std::string& role) { return may_create_bookings(settings, role); };
  setup.reload_credentials = [this](store::session& db) { reload_credentials(db); };
  loader = actors::spawn_portfolio_loader(*runtime, std::move(setup));
}

void service::parts::spawn_booking_engine() {
  using lane = actors::storage_pool::lane;
  actors::booking_engine_setup setup;
  setup.reading = storage->at(lane::reads_and_mail);
  setup.writing = storage->at(lane::decisions);
  setup.lease = lease;
  setup.loader = loader;
  setup.mailer = mailer;
  setup.now = hooks.now;
  setup.new_id = partners.new_id;
  partners.booking_engine = actors::spawn_booking_engine(*runtime, std::move(setup));
}

void service::parts::reload_credentials(store::session& db) {
  auto live = std::make_shared<security::live_tokens>();
  for (const auto& token : store::partner_tokens::live(db, hooks.now())) live->insert(token.id);
  tokens.replace_live(std::move(live));
  auto hashes = std::make_shared<std::vector<std::string>>();
  for (const auto& key : store::webhook_keys::live(db, hooks.now())) hashes->push_back(key.hash);
  webhook_key_hashes.set(std::move(hashes));
  auto keys = std::make_shared<std::vector<http::live_account_key>>();
  for (auto& key : store::account_keys::live(db, hooks.now()))
    keys->push_back({std::move(key.hash), key.account_id});
  account_keys.set(std::move(keys));
}

http::router service::parts::partner_router() {
  http::router router;
  const auto& platforms = *partners.platforms;
  for (std::size_t i = 0; i < platforms.size(); ++i) {
    const http::platform_api api{partners, i};
    auto routes = http::listing_routes(api);
    for (auto more :
         {http::full_feed_routes, http::booking_routes, http::webhook_routes, http::engine_routes})
      std::ranges::move(more(api), std::back_inserter(routes));
    mount(router, http::api_of(platforms[i]), std::move(routes));
  }
  mount(router, http::calendar_api(), http::calendar_routes(partners));
  router.mount("", http::explorer_parts());
  return router;
}

std::vector<http::readiness_check> service::parts::readiness() {
  using reason = std::optional<std::string>;
  return {
      {"store", [this] { return health->reachable ? reason{} : reason{"not reachable"}; }},
      {"schema",
       [this] {
         return health->schema_current ? reason{}
                                       : reason{"not brought up to date, or newer than this program"};
       }},
      {"writer",
       [this]() -> reason {
         if (lease->holds()) return {};
         const auto other = health->writer.get();
         return other ? "standing by: the writer is " + *other : std::string{"the lease is not held"};
       }},
      {"portfolio",
       [this]() -> reason {
         if (!directory.get()) return "not loaded yet";
         const auto built = [](const auto& feed) { return feed.snapshot->get() != nullptr; };
         return std::ranges::all_of(partners.feeds, built) ? reason{} : "its lists are not built yet";
       }},
  };
}

void service::parts::export_metrics() {
  const auto held = registry.gauge("roost_lease_held", "1 while this server is the store's writer");
  const auto units = registry.gauge("roost_units", "Units in memory");
  const auto runs = registry.counter("roost_actor_runs_total", "How often an actor got its turn");
  registry.on_scrape([this, held, units, runs, last = std::uint64_t{0}]() mutable {
    held.set(lease->holds() ? 1 : 0);
    const auto known = directory.get();
    units.set(known ? static_cast<double>(known->unit_count()) : 0);
    const auto now = runtime->actor_runs();
    runs.increment(static_cast<double>(now - std::exchange(last, now)));
  });
  export_feed_metrics(registry, partners);
}

void service::parts::start() {
  listener->start();
  ops_listener->start();
  actors::lease_settings setup;
  setup.store_url = settings.store.url;
  setup.node = node_name();
  keeper = actors::spawn_lease_keeper(*runtime, std::move(setup), lease, health, {[] {}, hooks.lease_lost});
}

bool service::parts::drain() {
  auto& io = runtime->io_contexts().front().get();
  return boost::asio::co_spawn(io, listener->drain(settings.server.drain_timeout), boost::asio::use_future)
      .get();
}

void service::parts::stop() {
  if (std::exchange(stopped, true) || !runtime) return;
  auto& system = runtime->system();
  if (listener && !drain()) log::warn("drain_incomplete");
  tell_and_wait(system, queue, actors::stop_queue{});
  end(queue);
  if (transport) transport->interrupt();
  end(mailer);
  end(partners.booking_engine);
  end(partners.platform_bookings);
  end(partners.intake);
  tell_and_wait(system, loader, actors::end_calendars{});
  end(loader);
  for (auto& feed : partners.feeds) end(feed.actor);
  for (auto& feed : partners.full_feeds) end(feed);
  end(assembler);
  tell_and_wait(system, keeper, actors::release_lease{});
  end(keeper);
  if (storage) storage->stop(system);
  ops_listener.reset();
  listener.reset();
  runtime.reset();
}

service::service(const config::settings& settings, service_hooks hooks)
    : parts_(std::make_unique<parts>(settings, std::move(hooks))) {
  try {
    parts_->build();
  } catch (...) {
    parts_->stop(); // an actor that nobody ends would keep the program
    throw;
  }
}

service::~service() { stop(); }

void service::start() { parts_->start(); }

void service::stop() { parts_->stop(); }

std::uint16_t service::port() const { return parts_->listener->port(); }

std::uint16_t service::ops_port() const { return parts_->ops_listener->port(); }

} // namespace roost
