"""The scheduler lab: script/bench scheduler."""
