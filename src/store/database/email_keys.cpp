#include "store/database/email_keys.hpp"

#include "domain/email_address.hpp"
#include "domain/uuid.hpp"
#include "store/database/connection.hpp"

#include <string>

namespace roost::store {

namespace {

struct stored_address {
  domain::uuid id{};
  std::string email, key;
};

const selection stored_addresses{"stored_addresses", "select {columns} from users order by id",
                                 columns(column("id", &stored_address::id),
                                         column("email", &stored_address::email),
                                         column("folded_email", &stored_address::key))};
constexpr query replace_key{"replace_email_key",
                            "update users set folded_email = :key where id = :id"
                            " and not exists (select 1 from users where folded_email = :key)"};

} // namespace

void fill_email_keys(session::connection& db) {
  for (const auto& user : db.read_all(stored_addresses))
    if (const auto key = domain::email_key(user.email); key != user.key)
      db.write(replace_key, {{"id", user.id}, {"key", key}});
}

} // namespace roost::store
