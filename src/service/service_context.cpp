#include "service/service_context.hpp"

#include "security/random.hpp"
#include "service/conversions.hpp"
#include "service/version.hpp"

#include <any>

namespace roost {

service_context::service_context(const config::settings& configured, service_hooks start_hooks)
    : settings(configured), hooks(std::move(start_hooks)),
      platforms(std::make_shared<const std::vector<domain::platform>>(settings.platforms)) {
  runtime.emplace(to_knobs(settings), actors::end_process, hooks.load_scheduler);
  storage.emplace(*runtime, settings.store.url, settings.store.sessions, registry);
  runtime_metrics.emplace(*runtime, registry);
  registry.on_scrape([this] { runtime_metrics->collect(); });
  registry.on_scrape([this] { process_metrics.collect(); });
  registry
      .gauge("roost_build_info", "Always 1; the labels identify the build",
             {{"version", std::string{program_version()}}, {"build", std::string{program_build()}}})
      .set(1);
}

void service_context::finish_storage_jobs() {
  const auto finish = [this](const actors::storage_actor& worker) {
    actors::storage_job last{
        .kind = "last", .deadline = {}, .work = [](store::session&) { return std::any{}; }};
    last.needs_store = false;
    send_and_wait(system(), worker, std::move(last), [](const actors::storage_result&) {});
  };
  for (const auto purpose :
       {lane::acknowledgements, lane::decisions, lane::reads_and_mail, lane::more_acknowledgements})
    finish(storage_at(purpose));
  for (const auto purpose : {side_lane::management, side_lane::ledger, side_lane::office})
    finish(storage_at(purpose));
}

void service_context::stop() {
  if (is_exiting) return storage->stop_and_wait(*runtime, shutdown_timeout);
  if (storage) storage->stop();
  runtime.reset();
}

std::function<domain::uuid()> service_context::new_id() const {
  return [now = hooks.now] { return security::time_ordered_uuid(now()); };
}

} // namespace roost
