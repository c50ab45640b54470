// Exists because CMake precompiles headers only for a target with sources.
