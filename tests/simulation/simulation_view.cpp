#include "simulation/history.hpp"
#include "simulation/simulation.hpp"

#include <chrono>
#include <utility>

namespace roost::testing {

/// The history as its clients see it.
class simulation::view final : public history {
public:
  explicit view(simulation& owner) : simulation_(owner) {}

  std::size_t servers() const override { return simulation_.nodes_.size(); }
  void send(std::size_t server, std::string text, response_receiver receive) override;
  std::uint64_t random() override { return simulation_.random_(); }
  void add(client_event event) override { simulation_.events_.push_back(std::move(event)); }
  shown_facts& facts() override { return simulation_.facts_; }
  void add_to_story(const std::string& text) override { simulation_.add_to_story(text); }
  bool is_completing() const override { return simulation_.completing_ && is_trusted(); }
  bool may_kill() const override { return simulation_.may_happen(fault_kind::kills); }
  void run_for(std::chrono::nanoseconds time) override {
    simulation_.run_until(now() + time, [] { return false; });
  }
  const config::settings& settings() const override { return simulation_.settings_; }
  const std::vector<domain::outgoing_mail>& mails() const override { return simulation_.mailbox_->mails(); }
  bool is_trusted() const override { return simulation_.are_reads_trusted(); }
  std::uint64_t generation() override;
  std::chrono::nanoseconds clock_error() override;

private:
  static std::chrono::nanoseconds calendar_ahead() {
    return std::chrono::system_clock::now().time_since_epoch() - now().time_since_epoch();
  }

  simulation& simulation_;
  time_point last_trusted_at_{};
  std::uint64_t untrusted_periods_ = 0;
  std::chrono::nanoseconds ahead_ = calendar_ahead(), error_{};
};

/// Like random_node(), replaces the extra server while it is not running.
void simulation::view::send(std::size_t server, std::string text, response_receiver receive) {
  const auto& chosen = *simulation_.nodes_[server];
  const auto& to = chosen.is_extra && !chosen.server ? *simulation_.nodes_.front() : chosen;
  if (!to.server) return receive({}); // connection refused
  to.server->request(std::move(text), std::move(receive));
}

std::uint64_t simulation::view::generation() {
  if (is_trusted() && last_trusted_at_ != simulation_.reads_trusted_at_) {
    last_trusted_at_ = simulation_.reads_trusted_at_;
    ++untrusted_periods_;
  }
  return untrusted_periods_ + simulation_.restores_;
}

std::chrono::nanoseconds simulation::view::clock_error() {
  const auto ahead = calendar_ahead();
  error_ += std::chrono::abs(ahead - std::exchange(ahead_, ahead));
  return error_;
}

std::unique_ptr<history> simulation::make_view() { return std::make_unique<view>(*this); }

} // namespace roost::testing
