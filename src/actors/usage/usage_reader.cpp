#include "actors/usage/usage_reader.hpp"

#include "store/usage/usage_reads.hpp"

#include <caf/stateful_actor.hpp>

namespace roost::actors {

namespace {

class reader_state {
public:
  static constexpr const char* name = "usage_reader";
  using self_pointer = usage_reader::stateful_pointer<reader_state>;

  void open(self_pointer self, storage_actor storage) {
    self_ = self;
    storage_ = std::move(storage);
  }

  caf::result<usage_page> read(const read_usage_page& wanted) {
    return ask_store<usage_page>("read_usage_page", wanted.of.deadline, [wanted](store::session& db) {
      const auto& of = wanted.of;
      return usage_page{store::read_usage_page(db, of.account_id, of.filter, wanted.skip, wanted.most)};
    });
  }

  caf::result<usage_summary> read(const read_usage_summary& wanted) {
    return ask_store<usage_summary>("read_usage_summary", wanted.of.deadline, [wanted](store::session& db) {
      return usage_summary{store::read_usage_summary(db, wanted.of.account_id, wanted.of.filter)};
    });
  }

  caf::result<usage_days> read(const read_usage_days& wanted) {
    return ask_store<usage_days>("read_usage_days", wanted.of.deadline, [wanted](store::session& db) {
      return usage_days{store::read_usage_days(db, wanted.of.account_id, wanted.of.filter)};
    });
  }

private:
  template <typename Answer, typename Work>
  caf::result<Answer> ask_store(const char* kind, deadline until, Work work) {
    auto answer = self_->template make_response_promise<Answer>();
    in_storage(
        self_, storage_, kind, std::move(work),
        [answer](Answer& found) mutable { answer.deliver(std::move(found)); },
        [answer](storage_error why) mutable { answer.deliver(make_error(why)); }, until);
    return answer;
  }

  self_pointer self_ = nullptr;
  storage_actor storage_;
};

usage_reader::behavior_type usage_reader_behavior(usage_reader::stateful_pointer<reader_state> self,
                                                  storage_actor storage) {
  auto& state = self->state;
  state.open(self, std::move(storage));
  return {
      [&state](const read_usage_page& wanted) { return state.read(wanted); },
      [&state](const read_usage_summary& wanted) { return state.read(wanted); },
      [&state](const read_usage_days& wanted) { return state.read(wanted); },
  };
}

} // namespace

usage_reader spawn_usage_reader(runtime& rt, storage_actor storage) {
  return rt.spawn_at(0, usage_reader_behavior, std::move(storage));
}

} // namespace roost::actors
