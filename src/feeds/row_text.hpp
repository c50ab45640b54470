#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace roost::feeds {

/// The text of a list's row, or of a run of rows joined by commas.
struct row_text {
  std::shared_ptr<const void> memory; ///< keeps the text; null: something else does
  std::string_view text;
};

/// Where one thread writes the rows of one list: next to each other, separated by commas, as they stand in
/// the list. A list's rows are read and let go by another thread: memory for each alone would be freed there
/// while this one asks for more, and the two would wait for each other at every row.
class row_buffer {
public:
  row_text add(std::string_view row);

private:
  std::shared_ptr<char[]> memory_; // never written where a row has been given out
  std::size_t size_ = 0, used_ = 0;
};

} // namespace roost::feeds
