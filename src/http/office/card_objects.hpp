#pragma once

#include "http/office/office_objects.hpp"
#include "portfolio/account.hpp"
#include "portfolio/record_around.hpp"

/// The description of platform cards in the office. This header is for the .cpp files that hold descriptions.
namespace roost::http {

/// A card without its platform, which the path names.
inline constexpr auto office_card_object =
    portfolio::record_around<portfolio::objects::card_object, "platform">(
        portfolio::hooks<domain::platform_card>{}, domain::pack_of(), domain::pack_of());

} // namespace roost::http
