#pragma once

#include "domain/account.hpp"
#include "domain/unit.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

/// The lists without identity of their own, as the JSON of their columns. Reading throws failure when a
/// column does not hold what was written.
namespace roost::store {

std::string json_of(const domain::payment_terms& terms);
std::string json_of(const std::vector<domain::tenant_category>& categories);
std::string json_of(const std::vector<domain::admin_fee_tier>& tiers);
std::string json_of(const std::vector<std::string>& words);
std::string json_of(const std::map<std::string, std::string>& texts);
std::string json_of(const std::vector<domain::image>& images);

void read_json(std::string_view json, domain::payment_terms& into);
void read_json(std::string_view json, std::vector<domain::tenant_category>& into);
void read_json(std::string_view json, std::vector<domain::admin_fee_tier>& into);
void read_json(std::string_view json, std::map<std::string, std::string>& into);
void read_json(std::string_view json, std::vector<std::string>& into);
void read_json(std::string_view json, std::vector<domain::image>& into);

} // namespace roost::store
