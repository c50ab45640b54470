#pragma once

#include "store/database/cell.hpp"

#include <cstddef>
#include <vector>

namespace roost::store {

/// Many cells, with all their text in one piece of memory: a group of bookings has thousands, which are made
/// on one thread and freed on another.
class cell_list {
public:
  template <typename Value>
  void add(const Value& value) {
    const bool there = write_cell(text_, value);
    ends_.push_back({text_.size(), there});
  }

  /// Of a value that has a format (column_format) of its own.
  template <typename Format, typename Value>
  void add_as(const Value& value) {
    const bool there = Format::write(text_, value);
    ends_.push_back({text_.size(), there});
  }

  std::size_t size() const { return ends_.size(); }
  bool empty() const { return ends_.empty(); }

  /// Valid until the list changes.
  cell_view operator[](std::size_t i) const {
    const auto [end, there] = ends_[i];
    if (!there) return std::nullopt;
    const auto start = i == 0 ? 0 : ends_[i - 1].offset;
    return std::string_view(text_).substr(start, end - start);
  }

  void clear() {
    text_.clear();
    ends_.clear();
  }

private:
  struct end {
    std::size_t offset;
    bool there;
  };

  std::string text_;
  std::vector<end> ends_;
};

} // namespace roost::store
