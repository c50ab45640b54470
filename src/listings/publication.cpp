#include "listings/publication.hpp"

#include "domain/platform.hpp"
#include "domain/text.hpp"

#include <algorithm>

namespace roost::listings {

using domain::address, domain::has_usable_rent, domain::lower_case, domain::platform, domain::platform_kind,
    domain::property, domain::property_terms, domain::traits_of, domain::unit;

namespace {

/// The ASCII letters that a letter of Latin-1 Supplement, Latin Extended-A or Romanian is written with when
/// there are no accents; empty for anything else.
std::string_view base_letters(char32_t c) {
  static constexpr std::string_view latin_1 =
      "aaaaaa*ceeeeiiiidnooooo*ouuuuy**aaaaaa*ceeeeiiiidnooooo*ouuuuy*y";
  static constexpr std::string_view extended_a =
      "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii**jjkkklllllllll"
      "lnnnnnnnnnoooooo**rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
  switch (c) {
  case 0xc6: // Æ
  case 0xe6: // æ
    return "ae";
  case 0xde: // Þ
  case 0xfe: // þ
    return "th";
  case 0xdf: // ß
    return "ss";
  case 0x132: // Ĳ
  case 0x133: // ĳ
    return "ij";
  case 0x152: // Œ
  case 0x153: // œ
    return "oe";
  case 0x218: // Ș
  case 0x219: // ș
    return "s";
  case 0x21a: // Ț
  case 0x21b: // ț
    return "t";
  case 0xd7: // ×
  case 0xf7: // ÷
    return {};
  default:
    break;
  }
  if (c >= 0xc0 && c < 0xc0 + latin_1.size()) return latin_1.substr(c - 0xc0, 1);
  if (c >= 0x100 && c < 0x100 + extended_a.size()) return extended_a.substr(c - 0x100, 1);
  return {};
}

std::string folded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if ((lead & 0xe0) == 0xc0 && i + 1 < text.size()) {
      const char32_t c = (lead & 0x1fU) << 6 | (static_cast<unsigned char>(text[i + 1]) & 0x3fU);
      if (c >= 0x300 && c < 0x370) { // a combining accent
        ++i;
        continue;
      }
      if (const auto base = base_letters(c); !base.empty()) {
        out += base;
        ++i;
        continue;
      }
    }
    out += lower_case(text[i]);
  }
  return out;
}

} // namespace

bool same_place(std::string_view a, std::string_view b) { return folded(a) == folded(b); }

bool is_withheld(const unit& terms, const property_terms& property, bool excluded) {
  return excluded || terms.archived || property.archived;
}

publication publication_of(const unit& terms, const property_terms& property, const platform& platform,
                           bool excluded) {
  if (is_withheld(terms, property, excluded)) return publication::withheld;
  if (!has_usable_rent(terms)) return publication::no_usable_rent;
  if (traits_of(platform).accepts_some_regions &&
      std::ranges::none_of(platform.regions,
                           [&](const auto& region) { return same_place(region, property.city); }))
    return publication::unsupported_region;
  return publication::published;
}

namespace {

constexpr std::size_t months = 12;

bool is_whole(const address& at) {
  return !at.street.empty() && !at.number.empty() && !at.postal_code.empty() && !at.city.empty() &&
         !at.country_code.empty();
}

} // namespace

data_gaps gaps_of(publication state, const unit& terms, const address& at, platform_kind kind) {
  data_gaps gaps;
  const auto note = [&gaps](data_gap gap, bool there) { gaps.set(static_cast<std::size_t>(gap), there); };
  note(data_gap::rent, state == publication::no_usable_rent);
  note(data_gap::region, state == publication::unsupported_region);
  if (state != publication::published) return gaps;
  note(data_gap::address, !is_whole(at));
  note(data_gap::coordinates, !at.latitude || !at.longitude);
  note(data_gap::month_price, traits_of(kind).wants_price_of_every_month && !terms.rent.fixed &&
                                  terms.rent.per_month.size() < months);
  return gaps;
}

} // namespace roost::listings
