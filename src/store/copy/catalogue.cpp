#include "store/copy/catalogue.hpp"

#include "store/database/connection.hpp"

namespace roost::store {

namespace {

const selection postgresql_columns{
    "catalogue",
    "select {columns} from pg_attribute a join pg_class c on c.oid = a.attrelid"
    " join pg_namespace n on n.oid = c.relnamespace join pg_type t on t.oid = a.atttypid"
    " where n.nspname = current_schema() and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped"
    " and a.attgenerated = '' order by c.relname, a.attnum",
    named<std::string>("cast(c.relname as text)"), named<std::string>("cast(a.attname as text)"),
    named<std::string>("format_type(case when t.typtype = 'd' then t.typbasetype else t.oid end, null)")};

/// table_info() leaves generated columns out.
const selection sqlite_columns{
    "catalogue",
    "select {columns} from sqlite_master m join pragma_table_info(m.name) p"
    " where m.type = 'table' and m.name not like 'sqlite\\_%' escape '\\' order by m.name, p.cid",
    named<std::string>("m.name"), named<std::string>("p.name"), named<std::string>("lower(p.type)")};

} // namespace

catalogue read_catalogue(session& db) {
  catalogue found;
  db.internals().read(db.is_sqlite() ? sqlite_columns : postgresql_columns, {},
                      [&](const std::string& table, std::string column, std::string type) {
                        found[table].push_back({std::move(column), std::move(type)});
                      });
  return found;
}

} // namespace roost::store
