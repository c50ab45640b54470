#pragma once

#include "actors/mailing/mailer.hpp"
#include "service/service_context.hpp"

#include <memory>

namespace roost {

/// Sends the messages in the outbox.
class mail_module final : public module {
public:
  explicit mail_module(service_context& base);

  /// Interrupts a transfer in progress: its message stays in the outbox.
  void finish_writing() override;

  const actors::mailer& mailer() const { return mailer_; }

private:
  service_context& base_;
  std::shared_ptr<mail::transport> transport_;
  actors::mailer mailer_;
};

} // namespace roost
