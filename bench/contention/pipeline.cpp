#include "pipeline.hpp"

namespace roost::contention {

namespace {

struct clearer {
  void operator()(PGresult* result) const { PQclear(result); }
};
using result_pointer = std::unique_ptr<PGresult, clearer>;

/// With a SQLSTATE of class 57P the server always closes the connection.
bool ends_connection(const std::string& state) { return state.empty() || state.starts_with("57P"); }

} // namespace

pipeline::pipeline(const std::string& url) : connection_(PQconnectdb(url.c_str())) {
  require(PQstatus(connection_.get()) == CONNECTION_OK);
}

void pipeline::prepare(const char* name, const char* text) {
  const result_pointer result(PQprepare(connection_.get(), name, text, 0, nullptr));
  if (PQresultStatus(result.get()) == PGRES_COMMAND_OK) return;
  const char* state = PQresultErrorField(result.get(), PG_DIAG_SQLSTATE);
  throw sql_error(state ? state : "", std::string(name) + ": " + PQerrorMessage(connection_.get()));
}

void pipeline::send(const char* name, std::span<const sql_value> parameters) {
  if (PQpipelineStatus(connection_.get()) == PQ_PIPELINE_OFF) require(PQenterPipelineMode(connection_.get()));
  std::vector<const char*> values;
  values.reserve(parameters.size());
  for (const auto& value : parameters) values.push_back(value ? value->c_str() : nullptr);
  require(PQsendQueryPrepared(connection_.get(), name, static_cast<int>(values.size()), values.data(),
                              nullptr, nullptr, 0));
}

void pipeline::flush() {
  require(PQsendFlushRequest(connection_.get()));
  require(PQflush(connection_.get()) == 0);
}

void pipeline::sync() {
  require(PQpipelineSync(connection_.get()));
  sync_sent_ = true;
}

sql_result pipeline::next() {
  const result_pointer result(PQgetResult(connection_.get()));
  if (!result) throw_connection_lost();
  const auto status = PQresultStatus(result.get());
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
    const char* code = PQresultErrorField(result.get(), PG_DIAG_SQLSTATE);
    const std::string state = code ? code : "";
    const std::string message = PQresultErrorMessage(result.get());
    if (status == PGRES_PIPELINE_ABORTED) throw sql_error("25P02", "an earlier statement failed");
    throw sql_error(ends_connection(state) ? "" : state, message);
  }
  sql_result done;
  if (status == PGRES_TUPLES_OK && PQntuples(result.get()) > 0)
    for (int i = 0; i < PQnfields(result.get()); ++i) done.row.emplace_back(PQgetvalue(result.get(), 0, i));
  done.affected_rows = std::atol(PQcmdTuples(result.get()));
  const result_pointer end(PQgetResult(connection_.get())); // null: the end of this statement's results
  return done;
}

void pipeline::finish() {
  for (int nulls = 0; nulls < 2;) {
    const result_pointer result(PQgetResult(connection_.get()));
    if (!result) {
      ++nulls;
      if (PQstatus(connection_.get()) != CONNECTION_OK) throw_connection_lost();
      continue;
    }
    nulls = 0;
    if (PQresultStatus(result.get()) != PGRES_PIPELINE_SYNC) continue;
    sync_sent_ = false;
    return;
  }
  throw_connection_lost();
}

void pipeline::recover() {
  if (!sync_sent_) sync();
  finish();
  if (PQtransactionStatus(connection_.get()) == PQTRANS_IDLE) return;
  send("rollback");
  sync();
  next();
  finish();
}

void pipeline::require(bool succeeded) {
  if (!succeeded) throw_connection_lost();
}

void pipeline::throw_connection_lost() { throw sql_error("", PQerrorMessage(connection_.get())); }

} // namespace roost::contention
