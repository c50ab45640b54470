#pragma once

#include "ical/broken_calendar.hpp"
#include "ical/components.hpp"
#include "ical/local_time.hpp"

#include <chrono>
#include <libical/ical.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Access to the components and values of libical.
namespace roost::ical {

struct component_deleter {
  void operator()(icalcomponent* parsed) const { icalcomponent_free(parsed); }
};
using owned_component = std::unique_ptr<icalcomponent, component_deleter>;

/// Frees libical's temporary memory of this thread at the end of a scope.
struct temporary_memory {
  temporary_memory() = default;
  temporary_memory(const temporary_memory&) = delete;
  temporary_memory& operator=(const temporary_memory&) = delete;
  ~temporary_memory() { icalmemory_free_ring(); }
};

/// An event or time zone with the name that error texts use for it.
struct parsed_component {
  owned_component root;
  std::string name; ///< "The event on line 12"

  /// Throws broken_calendar with the text "The event on line 12 PROBLEM".
  [[noreturn]] void refuse(std::string_view problem) const {
    throw broken_calendar(name + " " + std::string(problem));
  }
};

/// Parses an event or time zone; `kind` is "event" or "time zone". Throws broken_calendar if libical cannot
/// read one of its properties: libical itself would go on without it, which could shorten an event.
parsed_component parse(const component& source, std::string_view kind);

/// Returns the properties of a kind in order. libical splits properties with several values.
std::vector<icalproperty*> properties_of(icalcomponent* parsed, icalproperty_kind kind);

/// Returns the only property of a kind; nullptr if there is none. Throws broken_calendar if there are
/// several.
icalproperty* property_of(const parsed_component& parsed, icalproperty_kind kind, std::string_view name);

/// Returns the value of a property as text, in lower case; empty without a property.
std::string text_of(const icalproperty* property);

/// Returns a DATE or DATE-TIME; nullopt if it is neither or does not exist, such as 30 February.
std::optional<moment> moment_of(const icalproperty* property);
std::optional<moment> moment_of(const icaltimetype& time);

/// Returns the TZID of a property; empty without one.
std::string tzid_of(const icalproperty* property);

/// Returns a duration with days of 24 hours; nullopt if it is negative or longer than 10,000 years.
std::optional<std::chrono::seconds> length_of(const icaldurationtype& duration);

} // namespace roost::ical
