#pragma once

#include "actors/office/office_writer.hpp"
#include "http/protocol/entity_tags.hpp"
#include "http/protocol/error.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Conditional writes (RFC 9110, 13): clients name the state of a resource that they have seen by its entity
/// tag.
namespace roost::http {

/// Computes the entity tag of a resource from its members: six characters of the SHA-256 of each, in their
/// order. So it also shows which members differ between two states.
class tag_builder {
public:
  void add(std::string_view value);
  /// Returns the strong tag, with its quotes.
  std::string tag() const { return '"' + text_ + '"'; }

private:
  std::string text_;
};

/// Returns the positions of the members that differ between two tags of tag_builder; all positions below
/// `count` if `known` is not a tag of such a resource.
std::vector<std::size_t> differing_members(std::string_view known, std::string_view current,
                                           std::size_t count);

/// Returns the 412 with who changed which members, and when. `names` are those of all members.
error outdated_state(const std::string& message, const if_match& sent, std::string_view current_tag,
                     const std::vector<std::string_view>& names, const store::last_change& last);

} // namespace roost::http
