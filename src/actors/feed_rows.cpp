#include "actors/feed_rows.hpp"

#include <algorithm>
#include <utility>

namespace roost::actors {

void feed_rows::begin(std::vector<std::uint64_t> changed, std::string_view last) {
  last_ = last;
  rows_.assign(changed.size(), {});
  wanted_.clear();
  come_.clear();
  given_ = placed_ = 0;
  last_at_ = 1; // behind the bracket
  for (std::size_t i = 0; i < changed.size(); ++i) {
    const bool same = !last_.empty() && i < kept_.size() && kept_[i].changed == changed[i] && changed[i] != 0;
    rows_[i] = {changed[i], same ? kept_[i].size : 0, !same};
    if (!same) wanted_.push_back(static_cast<std::uint32_t>(i));
  }
}

void feed_rows::take(std::size_t number, std::string text, bool of_this_moment) {
  auto& row = rows_[wanted_[number]];
  row.size = static_cast<std::uint32_t>(text.size());
  if (of_this_moment) row.changed = 0;
  const auto place = number - given_;
  if (come_.size() <= place) come_.resize(place + 1);
  come_[place] = std::move(text);
}

void feed_rows::move_to(std::vector<feed_piece>& sheet) {
  for (; placed_ < rows_.size(); ++placed_) {
    const auto& row = rows_[placed_];
    if (row.wanted && (come_.empty() || !come_.front())) return;
    const auto stood = last_at_;
    if (placed_ < kept_.size() && kept_[placed_].size > 0) last_at_ += kept_[placed_].size + 1;
    if (row.wanted) {
      sheet.push_back({std::move(*come_.front()), {}, 1});
      come_.pop_front();
      ++given_;
    } else if (row.size > 0) {
      add_kept(sheet, last_.substr(stood, row.size));
    }
  }
}

/// One run with the rows before it, where it stood right behind them.
void feed_rows::add_kept(std::vector<feed_piece>& sheet, std::string_view text) {
  if (!sheet.empty() && !sheet.back().kept.empty()) {
    auto& run = sheet.back();
    if (run.kept.data() + run.kept.size() + 1 == text.data()) {
      run.kept = {run.kept.data(), run.kept.size() + 1 + text.size()};
      ++run.units;
      return;
    }
  }
  sheet.push_back({{}, text, 1});
}

void feed_rows::keep() {
  kept_ = std::exchange(rows_, {});
  wanted_ = {}; // memory that is needed again in ten minutes
  of_a_moment_ = static_cast<std::size_t>(std::ranges::count(kept_, std::uint64_t{0}, &row::changed));
}

} // namespace roost::actors
