#include "feeds/feed_rows.hpp"

#include <algorithm>
#include <utility>

namespace roost::feeds {

namespace {

/// One run with the row before it, where it stands right behind that one.
void add(std::vector<feed_piece>& pieces, row_text row) {
  if (row.text.empty()) return;
  if (!pieces.empty() && pieces.back().rows.memory == row.memory) {
    auto& run = pieces.back();
    auto& text = run.rows.text;
    if (text.data() + text.size() + 1 == row.text.data()) {
      text = {text.data(), text.size() + 1 + row.text.size()};
      ++run.units;
      return;
    }
  }
  pieces.push_back({std::move(row)});
}

} // namespace

void feed_rows::begin(std::vector<std::uint64_t> changed, std::shared_ptr<const feed_pages> last) {
  last_ = std::move(last);
  rows_.assign(changed.size(), {});
  wanted_.clear();
  come_.clear();
  pages_.clear();
  given_ = ready_ = placed_ = changed_pages_ = 0;
  for (std::size_t first = 0; first < changed.size(); first += rows_per_page) {
    pages_.push_back(begin_page(first, std::span{changed}.subspan(first)));
    if (!pages_.back().kept) ++changed_pages_;
  }
}

feed_rows::page feed_rows::begin_page(std::size_t first, std::span<const std::uint64_t> changed) {
  const auto end = first + std::min(rows_per_page, changed.size());
  page made;
  for (auto i = first; i < end; ++i) {
    const auto now = changed[i - first];
    const bool same = last_ && i < kept_.size() && kept_[i].changed == now;
    rows_[i] = {now, same ? kept_[i].size : 0, !same};
    if (same) continue;
    wanted_.push_back(static_cast<std::uint32_t>(i));
    ++made.wanted;
  }
  made.kept = made.wanted == 0 && end == std::min(kept_.size(), first + rows_per_page);
  return made;
}

void feed_rows::take(std::size_t number, row_text json) {
  auto& row = rows_[wanted_[number]];
  row.size = static_cast<std::uint32_t>(json.text.size());
  const auto index = number - given_;
  if (come_.size() <= index) come_.resize(index + 1);
  come_[index] = std::move(json);
  while (ready_ < come_.size() && come_[ready_]) ++ready_;
}

std::size_t feed_rows::move_to(std::vector<page_draft>& sheet) {
  std::size_t changed = 0;
  for (; placed_ < pages_.size() && pages_[placed_].wanted <= ready_; ++placed_) {
    const bool kept = pages_[placed_].kept;
    sheet.push_back(kept ? page_draft{{}, placed_} : draft_of(placed_));
    if (!kept) ++changed;
  }
  return changed;
}

page_draft feed_rows::draft_of(std::size_t number) {
  page_draft draft;
  const auto first = number * rows_per_page, end = std::min(first + rows_per_page, rows_.size());
  const auto* const before = last_ && number < last_->pages.size() ? &last_->pages[number] : nullptr;
  std::size_t at = before && before->leads ? 0 : 1; // where the row that comes next stood, behind a comma
  for (auto i = first; i < end; ++i) {
    const auto stood = at;
    if (before && i < kept_.size() && kept_[i].size > 0) at += kept_[i].size + 1;
    if (rows_[i].wanted) {
      add(draft.pieces, std::move(*come_.front()));
      come_.pop_front();
      ++given_;
      --ready_;
    } else if (rows_[i].size > 0) {
      add(draft.pieces, {nullptr, before->identity.bytes().substr(stood, rows_[i].size)});
    }
  }
  return draft;
}

void feed_rows::keep() {
  kept_ = std::exchange(rows_, {});
  wanted_ = {}; // memory that is needed again in ten minutes
  pages_ = {};
  last_.reset();
}

} // namespace roost::feeds
