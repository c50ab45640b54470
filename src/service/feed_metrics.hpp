#pragma once

#include "http/partner/partner_services.hpp"
#include "metrics/registry.hpp"

namespace roost {

/// Age and size of every platform's feed, read at each scrape.
void export_feed_metrics(metrics::registry& registry, const http::partner_services& partners);

} // namespace roost
