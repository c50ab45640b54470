#include "feeds/feed_rows.hpp"

#include <algorithm>
#include <utility>

namespace roost::feeds {

namespace {

/// Adds a row, extending the last run if the row follows it directly in memory.
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
  requested_.clear();
  received_.clear();
  pages_.clear();
  moved_rows_ = ready_ = moved_pages_ = changed_pages_ = 0;
  for (std::size_t first = 0; first < changed.size(); first += rows_per_page) {
    pages_.push_back(begin_page(first, std::span{changed}.subspan(first)));
    if (!pages_.back().reused) ++changed_pages_;
  }
}

feed_rows::page feed_rows::begin_page(std::size_t first, std::span<const std::uint64_t> changed) {
  const auto end = first + std::min(rows_per_page, changed.size());
  page page;
  for (auto i = first; i < end; ++i) {
    const auto latest = changed[i - first];
    const bool same = last_ && i < kept_.size() && kept_[i].changed == latest;
    rows_[i] = {latest, same ? kept_[i].size : 0, !same};
    if (same) continue;
    requested_.push_back(static_cast<std::uint32_t>(i));
    ++page.requested;
  }
  page.reused = page.requested == 0 && end == std::min(kept_.size(), first + rows_per_page);
  return page;
}

void feed_rows::take(std::size_t number, row_text json) {
  auto& row = rows_[requested_[number]];
  row.size = static_cast<std::uint32_t>(json.text.size());
  const auto index = number - moved_rows_;
  if (received_.size() <= index) received_.resize(index + 1);
  received_[index] = std::move(json);
  while (ready_ < received_.size() && received_[ready_]) ++ready_;
}

std::size_t feed_rows::move_complete_pages_to(std::vector<page_draft>& sheet) {
  std::size_t changed = 0;
  for (; moved_pages_ < pages_.size() && pages_[moved_pages_].requested <= ready_; ++moved_pages_) {
    const bool reused = pages_[moved_pages_].reused;
    sheet.push_back(reused ? page_draft{{}, moved_pages_} : draft_of(moved_pages_));
    if (!reused) ++changed;
  }
  return changed;
}

page_draft feed_rows::draft_of(std::size_t number) {
  page_draft draft;
  const auto first = number * rows_per_page, end = std::min(first + rows_per_page, rows_.size());
  const auto* const before = last_ && number < last_->pages.size() ? &last_->pages[number] : nullptr;
  std::size_t at = before && before->leads ? 0 : 1; // position of the previous list's next row
  for (auto i = first; i < end; ++i) {
    const auto start = at;
    if (before && i < kept_.size() && kept_[i].size > 0) at += kept_[i].size + 1;
    if (rows_[i].requested) {
      add(draft.pieces, std::move(*received_.front()));
      received_.pop_front();
      ++moved_rows_;
      --ready_;
    } else if (rows_[i].size > 0) {
      add(draft.pieces, {nullptr, before->identity.bytes().substr(start, rows_[i].size)});
    }
  }
  return draft;
}

void feed_rows::keep() {
  kept_ = std::exchange(rows_, {});
  requested_ = {}; // frees memory until the next build in ten minutes
  pages_ = {};
  last_.reset();
}

} // namespace roost::feeds
