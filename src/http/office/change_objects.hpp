#pragma once

#include "domain/listing_edit.hpp"
#include "http/office/office_objects.hpp"

/// The description of a changed member. This header is for the .cpp files that hold descriptions.
namespace roost::http {

/// A value that is stored as JSON, of any type.
struct stored_json {
  constexpr json::facts schema_facts() const { return {}; }
  void write(std::string& to, const std::string& json) const { to += json; }
};

inline constexpr auto field_change_object = portfolio::record<domain::field_change>(
    portfolio::field("member", stored_text{}, &domain::field_change::field, ""),
    portfolio::field("from", stored_json{}, &domain::field_change::before, "The value before; null: none"),
    portfolio::field("to", stored_json{}, &domain::field_change::after, "The value after; null: none"));

} // namespace roost::http
