#include "store/copy/table_reader.hpp"

#include "store/database/connection.hpp"
#include "store/usage/usage_costs.hpp"

namespace roost::store {

namespace {

std::string parameter(std::size_t of_key) { return "after_" + std::to_string(of_key); }

template <typename Of>
std::string list_of_keys(const planned_table& table, Of of) {
  std::string list;
  for (std::size_t i = 0; i < table.key.size(); ++i)
    list.append(i == 0 ? "" : ", ").append(of(table.columns[table.key[i]], i));
  return list;
}

} // namespace

table_reader::table_reader(session& db, const planned_table& table, copy_side side,
                           std::vector<std::string> after, const std::string& condition)
    : db_(db), table_(table), side_(side), after_(std::move(after)),
      first_name_("copy_first_" + std::string(table.entry->name) + (condition.empty() ? "" : "_some")),
      first_text_(text(condition, true)),
      next_name_("copy_next_" + std::string(table.entry->name) + (condition.empty() ? "" : "_some")),
      next_text_(text(condition, false)) {}

const std::string& table_reader::type_of(const planned_column& column) const {
  return side_ == copy_side::source ? column.source_type : column.target_type;
}

/// PostgreSQL orders text by a language unless it is told otherwise.
std::string table_reader::ordered(const planned_column& column) const {
  return db_.is_sqlite() || type_of(column) != "text" ? column.name : column.name + " collate \"C\"";
}

std::string table_reader::selected(const planned_column& column) const {
  if (!db_.is_sqlite()) return column.name;
  if (type_of(column) == "numeric")
    return "cost_giga || ' ' || cost_one || ' ' || cost_nano || ' ' || cost_atto";
  if (type_of(column) == "real") // its own text of a number has 15 digits
    return "case when " + column.name + " is not null then printf('%!.17g', " + column.name + ") end";
  return column.name;
}

std::string table_reader::text(const std::string& condition, bool is_first) const {
  std::string text = "select ";
  for (std::size_t i = 0; i < table_.columns.size(); ++i)
    text.append(i == 0 ? "" : ", ").append(selected(table_.columns[i]));
  text += " from " + std::string(table_.entry->name) + " where " + (condition.empty() ? "true" : condition);
  const auto keys =
      list_of_keys(table_, [this](const planned_column& column, std::size_t) { return ordered(column); });
  if (!is_first)
    text += " and (" + keys + ") > (" +
            list_of_keys(table_,
                         [this](const planned_column& column, std::size_t i) {
                           return "cast(:" + parameter(i) + " as " + type_of(column) + ')';
                         }) +
            ')';
  return text + " order by " + keys + " limit cast(:most as integer)";
}

const cell_list& table_reader::next(std::size_t most) {
  rows_.clear();
  parameters with{{"most", to_cell(most)}};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < after_.size(); ++i) names.push_back(parameter(i));
  for (std::size_t i = 0; i < after_.size(); ++i) with.emplace_back(names[i], after_[i]);
  const auto& name = after_.empty() ? first_name_ : next_name_;
  const auto& text = after_.empty() ? first_text_ : next_text_;
  const query page{name.c_str(), text.c_str(), text.c_str(), static_cast<int>(table_.columns.size())};
  db_.internals().read_rows(page, with, [this](const row& each) {
    for (std::size_t i = 0; i < each.size(); ++i) rows_.add(each[i] ? cell_view(*each[i]) : cell_view());
  });
  if (rows_.empty()) return rows_;
  const auto last = rows_.size() - table_.columns.size();
  after_.clear();
  for (const auto place : table_.key) after_.emplace_back(rows_[last + place].value());
  return rows_;
}

} // namespace roost::store
