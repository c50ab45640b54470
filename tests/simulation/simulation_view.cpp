#include "simulation/history.hpp"
#include "simulation/simulation.hpp"

#include <chrono>
#include <utility>

namespace roost::testing {

/// The history as its clients see it.
class simulation::view final : public history {
public:
  explicit view(simulation& whole) : whole_(whole) {}

  std::size_t servers() const override { return whole_.nodes_.size(); }
  void send(std::size_t server, std::string text, response_receiver receive) override;
  std::uint64_t random() override { return whole_.random_(); }
  void add(client_event event) override { whole_.events_.push_back(std::move(event)); }
  void tell(const std::string& text) override { whole_.tell(text); }
  bool is_completing() const override { return whole_.completing_ && is_trusted(); }
  bool may_kill() const override { return whole_.may_happen(fault_kind::kills); }
  void pass(std::chrono::nanoseconds time) override {
    whole_.run_until(now() + time, [] { return false; });
  }
  const config::settings& settings() const override { return whole_.settings_; }
  const std::vector<domain::outgoing_mail>& mails() const override { return whole_.mailbox_->mails(); }
  bool is_trusted() const override { return whole_.trusts_reads(); }
  std::uint64_t era() override;
  std::chrono::nanoseconds clock_error() override;

private:
  static std::chrono::nanoseconds calendar_ahead() {
    return std::chrono::system_clock::now().time_since_epoch() - now().time_since_epoch();
  }

  simulation& whole_;
  time_point last_trusted_at_{};
  std::uint64_t distrusts_ = 0;
  std::chrono::nanoseconds ahead_ = calendar_ahead(), error_{};
};

/// As any_node(), no client asks for the extra server while there is none.
void simulation::view::send(std::size_t server, std::string text, response_receiver receive) {
  const auto& chosen = *whole_.nodes_[server];
  const auto& to = chosen.is_extra && !chosen.server ? *whole_.nodes_.front() : chosen;
  if (!to.server) return receive({}); // connection refused
  to.server->request(std::move(text), std::move(receive));
}

std::uint64_t simulation::view::era() {
  if (is_trusted() && last_trusted_at_ != whole_.trusts_reads_at_) {
    last_trusted_at_ = whole_.trusts_reads_at_;
    ++distrusts_;
  }
  return distrusts_ + whole_.restores_;
}

std::chrono::nanoseconds simulation::view::clock_error() {
  const auto ahead = calendar_ahead();
  error_ += std::chrono::abs(ahead - std::exchange(ahead_, ahead));
  return error_;
}

std::unique_ptr<history> simulation::make_view() { return std::make_unique<view>(*this); }

} // namespace roost::testing
