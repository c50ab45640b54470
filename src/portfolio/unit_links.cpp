#include "domain/mapping.hpp"
#include "portfolio/aggregates.hpp"
#include "portfolio/values.hpp"

#include <algorithm>

namespace roost::portfolio {

namespace {

bool read_external_id(reader& in, std::string& to) {
  if (!in.is(json_type::text) || !domain::is_external_id(in.node().text))
    return in.refuse("must be text of 1 to 256 characters without control characters");
  to = in.node().text;
  return true;
}

bool read_link_url(reader& in, std::string& to) {
  constexpr std::size_t longest_url = 2'048;
  // A bare ID deserves a better word than that it is no URL, so the mapping is the one to judge it.
  return read_text(in, to, {.longest = longest_url, .may_be_blank = true});
}

/// Fills in the external ID that the URL holds.
bool take_id_from_url(reader& in, const file_scope& file, domain::link& to) {
  auto found = domain::external_id_from_url(file.platform(to.platform), *to.url);
  if (const auto* wrong = std::get_if<domain::mapping_problem>(&found))
    return in.refuse_member("url", wrong->text);
  to.external_id = std::get<std::string>(std::move(found));
  return true;
}

bool read_link(reader& in, file_scope& file, const std::vector<domain::link>& others, domain::link& to) {
  std::optional<std::string> external_id;
  const auto read_platform = [&] {
    if (!read_configured(in, to.platform, file.platforms, "a configured platform")) return false;
    const bool is_new = std::ranges::find(others, to.platform, &domain::link::platform) == others.end();
    return is_new || in.refuse("is linked to this unit already");
  };
  if (!in.object({
          required("platform", read_platform),
          optional("url",
                   [&] { return in.nullable(to.url, [&](auto& url) { return read_link_url(in, url); }); }),
          optional(
              "externalId",
              [&] { return in.nullable(external_id, [&](auto& id) { return read_external_id(in, id); }); }),
      }))
    return false;
  if (to.url.has_value() == external_id.has_value()) return in.refuse("must have either url or externalId");
  if (to.url && !take_id_from_url(in, file, to)) return false;
  if (external_id) to.external_id = std::move(*external_id);
  if (!domain::is_external_id_of(file.platform(to.platform), to.external_id))
    return in.refuse_member(to.url ? "url" : "externalId",
                            "must hold the ID of a property, or of a property and a room joined with \"_\", "
                            "neither of them empty or with an underscore of its own");
  // A platform's name holds no line break, so the key is not ambiguous.
  return file.unique.external_ids.claim(in, to.platform + '\n' + to.external_id);
}

} // namespace

bool read_links(reader& in, file_scope& file, std::vector<domain::link>& to) {
  return in.list(to, [&](domain::link& link) { return read_link(in, file, to, link); });
}

bool read_exclusions(reader& in, const file_scope& file, std::vector<std::string>& to) {
  return in.list(to, [&](std::string& platform) {
    if (!read_configured(in, platform, file.platforms, "a configured platform")) return false;
    return std::ranges::find(to, platform) == to.end() || in.refuse("is named twice");
  });
}

} // namespace roost::portfolio
