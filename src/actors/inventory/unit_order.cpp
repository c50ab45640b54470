#include "actors/inventory/unit_order.hpp"

#include "actors/inventory/directory_unit.hpp"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

namespace roost::actors {

namespace {

constexpr std::size_t chunk = 512, small_chunk = 128, large_chunk = 1024; // units

} // namespace

/// Two accounts hold the same unit for as long as only one of them is known to have given it away.
bool comes_before(const directory_unit* a, const directory_unit* b) {
  return std::tie(a->created_at, a->id, a->owner->id) < std::tie(b->created_at, b->id, b->owner->id);
}

/// Goes over the chunks once: those without a difference are shared, the others written anew.
class unit_order::change {
public:
  change(units removed, units added) : removed_(std::move(removed)), added_(std::move(added)) {
    std::ranges::sort(removed_, comes_before);
    std::ranges::sort(added_, comes_before);
  }

  unit_order of(const unit_order& before) {
    for (std::size_t i = 0; i < before.chunks_.size(); ++i) {
      const bool is_last = i + 1 == before.chunks_.size();
      pass(before.chunks_[i], is_last ? nullptr : before.chunks_[i + 1]->front());
    }
    if (before.chunks_.empty()) pending_ = std::move(added_);
    flush();
    made_.starts_.push_back(0);
    for (const auto& each : made_.chunks_)
      made_.starts_.push_back(made_.starts_.back() + static_cast<std::uint32_t>(each->size()));
    return std::move(made_);
  }

private:
  using list = std::span<const directory_unit* const>;

  void pass(const std::shared_ptr<const units>& old, const directory_unit* next) {
    const auto gone = take(removed_, gone_, next);
    const auto come = take(added_, come_, next);
    const bool is_same = gone.empty() && come.empty();
    if (is_same && (pending_.empty() || pending_.size() >= small_chunk)) {
      flush();
      made_.chunks_.push_back(old);
      return;
    }
    auto kept = *old; // places are found by halving: to look at every unit costs a cache miss each
    for (const auto* unit : gone) kept.erase(std::ranges::lower_bound(kept, unit, comes_before));
    for (const auto* unit : come) kept.insert(std::ranges::lower_bound(kept, unit, comes_before), unit);
    pending_.insert(pending_.end(), kept.begin(), kept.end());
    if (pending_.size() >= small_chunk) flush();
  }

  /// The changes that come before the next chunk; null: all that are left.
  static list take(const units& all, std::size_t& taken, const directory_unit* next) {
    const auto rest = list{all}.subspan(taken);
    auto count = rest.size();
    if (next)
      count = static_cast<std::size_t>(std::ranges::lower_bound(rest, next, comes_before) - rest.begin());
    taken += count;
    return rest.first(count);
  }

  void flush() {
    const list all{pending_};
    const auto pieces = all.size() <= large_chunk ? 1 : (all.size() + chunk - 1) / chunk;
    for (std::size_t i = 0; i < pieces && !all.empty(); ++i) {
      const auto begin = all.size() * i / pieces, end = all.size() * (i + 1) / pieces;
      const auto piece = all.subspan(begin, end - begin);
      made_.chunks_.push_back(std::make_shared<const units>(piece.begin(), piece.end()));
    }
    pending_.clear();
  }

  units removed_, added_;
  std::size_t gone_ = 0, come_ = 0; // of these
  units pending_;
  unit_order made_;
};

const directory_unit* unit_order::operator[](std::size_t index) const {
  const auto after = std::ranges::upper_bound(starts_, index);
  const auto chunk_number = static_cast<std::size_t>(after - starts_.begin()) - 1;
  return (*chunks_[chunk_number])[index - starts_[chunk_number]];
}

unit_order unit_order::with(units removed, units added) const {
  if (removed.empty() && added.empty()) return *this;
  return change(std::move(removed), std::move(added)).of(*this);
}

} // namespace roost::actors
