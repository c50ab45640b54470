"""Parses one iCalendar object from standard input with a parser independent of Roost, and prints a line per event:
first night, first free day, summary. Fails on anything that the parser rejects."""

import sys

from icalendar import Calendar

calendar = Calendar.from_ical(sys.stdin.buffer.read())
for component in calendar.walk():
    missing = [name for name in component.required if name not in component]
    if missing or getattr(component, "errors", []):
        sys.exit(f"{component.name}: missing {missing}, wrong {component.errors}")
if not calendar.subcomponents:
    sys.exit("no component at all")
for event in calendar.walk("VEVENT"):
    event.decoded("DTSTAMP")
    print(event.decoded("DTSTART"), event.decoded("DTEND"), event["SUMMARY"])
