#include "cli/commands.hpp"

int main(int argc, char** argv) { return roost::cli::run(argc, argv); }
