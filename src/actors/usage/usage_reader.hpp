#pragma once

#include "actors/runtime/storage.hpp"
#include "domain/ai_usage.hpp"

#include <caf/typed_actor.hpp>

#include <cstdint>
#include <vector>

namespace roost::actors {

/// Whose part of the ledger, and which records of it.
struct usage_question {
  domain::uuid account_id{};
  domain::ai_usage_filter filter;
  actors::deadline deadline;
};

struct read_usage_page {
  usage_question of;
  std::int64_t skip = 0, most = 0; ///< records
};
struct usage_page {
  domain::ai_usage_page page;
};

struct read_usage_summary {
  usage_question of;
};
struct usage_summary {
  domain::ai_usage_summary summary;
};

/// By whole UTC days.
struct read_usage_days {
  usage_question of;
};
struct usage_days {
  std::vector<domain::ai_usage_day> days;
};

/// Reads the AI usage ledger (Management API, AI usage), one question at a time. Answers storage_error when
/// the store does not.
using usage_reader = caf::typed_actor<caf::replies_to<read_usage_page>::with<usage_page>,
                                      caf::replies_to<read_usage_summary>::with<usage_summary>,
                                      caf::replies_to<read_usage_days>::with<usage_days>>;

usage_reader spawn_usage_reader(runtime& rt, storage_actor storage);

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::read_usage_page)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::usage_page)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::read_usage_summary)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::usage_summary)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::read_usage_days)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::usage_days)
