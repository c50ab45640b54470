#include "simulation/clients/imported_account.hpp"

#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"

#include <cstdlib>

namespace roost::testing::imported_account {

namespace {

constexpr int rent_before_imports = 1'000;

} // namespace

std::string file_of(int version) {
  std::string list;
  for (unsigned number = first_unit; number < first_unit + units; ++number)
    list += (list.empty() ? R"({"id":")" : R"(,{"id":")") + unit_id(number) + R"(","internalName":"Suite )" +
            std::to_string(number) + R"(","capacity":2,"rent":{"fixed":true,"amount":)" +
            std::to_string(rent_before_imports + version) +
            R"(},"links":[{"platform":"channel-manager","externalId":"u)" + std::to_string(number) +
            R"("}]})";
  return R"({"format":"roost-portfolio/1","accounts":[{"id":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0002",)"
         R"("companyName":"Version )" +
         std::to_string(version) +
         R"(","currency":"EUR","landlordKey":"versions","users":[{"id":"22222222-0000-4000-8000-000000000041",)"
         R"("email":")" +
         email + (version == 0 ? R"(","password":")" + std::string(password) : "") +
         R"(","firstName":"User","lastName":"Robledo","role":"Admin"}],"properties":[)"
         R"({"id":"55555555-0000-4000-8000-000000000001","internalName":"Rua 2","address":{"city":"Lisbon"},"units":[)" +
         list + "]}]}]}";
}

int version_of(const std::string& listing) {
  return std::atoi(json_at(listing, "/rent").c_str()) - rent_before_imports;
}

} // namespace roost::testing::imported_account
