#pragma once

#include "actors/usage/usage_recorder.hpp"
#include "service/service_context.hpp"

namespace roost {

/// The ledger of AI model calls.
class usage_module final : public module {
public:
  explicit usage_module(service_context& base);

  /// Writes accepted entries that are not on disk yet.
  void finish_writing() override;

  const actors::usage_recorder& recorder() const { return recorder_; }

private:
  service_context& base_;
  actors::usage_recorder recorder_;
};

} // namespace roost
