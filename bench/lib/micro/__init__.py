"""Runs the micro-benchmarks (bench/micro), and compares two builds."""
