#include <exception>
#include <iostream>

#include "cli/cli.h"

int main(int argc, char** argv) {
  try {
    return autopin::run_cli(argc, argv);
  } catch (const std::exception& problem) {
    std::cerr << "autopin: " << problem.what() << '\n';
    return 1;
  }
}
