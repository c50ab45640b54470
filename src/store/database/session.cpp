#include "store/database/session.hpp"

#include "store/database/connection.hpp"

namespace roost::store {

session::session(const std::string& url) : connection_(std::make_unique<connection>(url)) {}
session::~session() = default;
session::session(session&&) noexcept = default;
session& session::operator=(session&&) noexcept = default;

void session::connect() { connection_->connect(); }

bool session::is_sqlite() const { return connection_->dialect() == dialect::sqlite; }

} // namespace roost::store
