#include "service/service.hpp"

#include "service/conversions.hpp"
#include "service/features.hpp"
#include "service/listener_modules.hpp"

#include <boost/asio/post.hpp>

#include <atomic>
#include <vector>

namespace roost {

/// Modules start in the order in which they are added.
struct service::parts {
  parts(const config::settings& settings, service_hooks hooks) : all(settings, std::move(hooks)) {}

  void build() {
    operations = &all.add<operations_module>(all.base());
    all.build();
    listener = &all.add<public_module>(all.base(), all.modules());
  }

  void start() {
    if (auto certificate = listener->listener().certificate()) all.expiring().apply(std::move(*certificate));
    all.start();
  }

  features all;
  operations_module* operations = nullptr;
  public_module* listener = nullptr;
};

service::service(const config::settings& settings, service_hooks hooks)
    : parts_(std::make_unique<parts>(settings, std::move(hooks))) {
  try {
    parts_->build();
  } catch (...) {
    parts_->all.stop(); // an actor that is still alive would keep the process running
    throw;
  }
}

service::~service() { stop(); }

void service::start() { parts_->start(); }

void service::stop() { parts_->all.stop(); }

void service::stop_to_exit() {
  parts_->all.base().is_exiting = true;
  parts_->all.stop();
}

bool service::can_reload(const std::string& key, const config::settings& reloaded) const {
  return is_live(key, parts_->all.base().settings, reloaded);
}

std::string service::reload_certificate(const config::settings& reloaded) {
  auto& listener = parts_->listener->listener();
  const auto before = listener.certificate();
  const auto& file = reloaded.server.tls_certificate;
  if (!before || file.empty()) return {};
  if (!listener.replace_certificate(file.string(), reloaded.server.tls_key.string())) return {};
  auto now = *listener.certificate();
  auto change = "the certificate, until " + domain::to_string(now.until) + " (was until " +
                domain::to_string(before->until) + ")";
  parts_->all.expiring().apply(std::move(now));
  return change;
}

void service::warn_of_expiries() { parts_->all.expiring().warn(); }

void service::apply_reloaded(const config::settings& settings) { parts_->all.apply_live(settings); }

void service::when_threads_respond(std::function<void()> on_response) {
  const auto contexts = parts_->all.base().runtime->io_contexts();
  const auto missing = std::make_shared<std::atomic<std::size_t>>(contexts.size());
  for (auto& each : contexts)
    boost::asio::post(each.get(), [missing, on_response] {
      if (--*missing == 0) on_response();
    });
}

std::uint16_t service::port() const { return parts_->listener->port(); }

std::uint16_t service::ops_port() const { return parts_->operations->port(); }

} // namespace roost
