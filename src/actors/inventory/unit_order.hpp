#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace roost::actors {

struct directory_unit;

/// Whether a unit comes before another one in a list: by creation, then id.
bool comes_before(const directory_unit* a, const directory_unit* b);

/// Units in feed order. Immutable, in chunks that lists with few differences share.
class unit_order {
public:
  using units = std::vector<const directory_unit*>;

  std::size_t size() const { return starts_.empty() ? 0 : starts_.back(); }

  const directory_unit* operator[](std::size_t index) const;

  /// Calls this with each of the units in turn.
  template <class Function>
  void for_each(Function use) const {
    for (const auto& each : chunks_)
      for (const auto* unit : *each) use(unit);
  }

  /// The order without and with these units, in any order. All that are removed are in it.
  unit_order with(units removed, units added) const;

private:
  class change;

  std::vector<std::shared_ptr<const units>> chunks_; // none is empty
  std::vector<std::uint32_t> starts_;                // of the chunks, and the end of the last
};

} // namespace roost::actors
