"""The micro-benchmarks (bench/micro): run, and compared between two builds."""
