#include "feeds/feed_text.hpp"

#include <algorithm>

namespace roost::feeds {

namespace {

constexpr std::size_t strip_size = 64 * 1024; // some fifty rows

}

row_text row_buffer::add(std::string_view row) {
  if (row.empty()) return {};
  if (size_ - used_ < row.size() + 1) {
    size_ = std::max(strip_size, row.size() + 1);
    memory_ = std::make_shared_for_overwrite<char[]>(size_);
    used_ = 0;
  }
  char* const text = memory_.get() + used_;
  row.copy(text, row.size()); // std::ranges::copy is a loop over bytes in GCC 12
  text[row.size()] = ',';
  used_ += row.size() + 1;
  return {memory_, {text, row.size()}};
}

} // namespace roost::feeds
