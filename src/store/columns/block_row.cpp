#include "store/columns/block_row.hpp"

#include "store/columns/enum_text.hpp"

namespace roost::store {

domain::block read_block(row& from) {
  domain::block block;
  block.id = from.id();
  block.nights.first = from.day();
  block.nights.last = from.last_night();
  block.source = parse_block_source(from.text());
  block.host = from.text();
  block.created_at = from.moment();
  block.updated_at = from.moment();
  return block;
}

} // namespace roost::store
