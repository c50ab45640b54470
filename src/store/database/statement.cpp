#include "store/database/connection.hpp"
#include "store/database/error.hpp"

namespace roost::store {

statement::statement(soci::session& db, const std::string& text, std::vector<std::string> parameters,
                     int columns)
    : parameters_(std::move(parameters)), values_(parameters_.size()),
      columns_(static_cast<std::size_t>(columns)), value_indicators_(parameters_.size(), soci::i_null),
      column_indicators_(columns_.size(), soci::i_null), statement_(db) {
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    statement_.exchange(soci::use(values_[i], value_indicators_[i], parameters_[i]));
  for (std::size_t i = 0; i < columns_.size(); ++i)
    statement_.exchange(soci::into(columns_[i], column_indicators_[i]));
  statement_.alloc();
  statement_.prepare(text);
  statement_.define_and_bind();
}

void statement::bind(std::size_t parameter, cell_view value) {
  if (value && value->find('\0') != std::string_view::npos)
    throw constraint_violated(violation::other, "text_without_nul");
  value_indicators_[parameter] = value ? soci::i_ok : soci::i_null;
  if (value) values_[parameter] = *value;
}

} // namespace roost::store
