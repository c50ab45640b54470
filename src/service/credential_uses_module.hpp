#pragma once

#include "actors/credentials/use_keeper.hpp"
#include "service/module.hpp"
#include "service/partner_credentials.hpp"
#include "service/service_context.hpp"

namespace roost {

/// When tokens and keys were used last, for the lists of the command line.
class credential_uses_module final : public module {
public:
  /// `credentials` must outlive it.
  credential_uses_module(service_context& base, const partner_credentials& credentials);

  /// Writes what was noted and is not on disk yet.
  void finish_writing() override;

private:
  service_context& base_;
  actors::use_keeper keeper_;
};

} // namespace roost
