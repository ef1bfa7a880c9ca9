#include <exception>
#include <iostream>

#include "base/exit_code.h"
#include "base/printable.h"
#include "cli/cli.h"
#include "io/interrupt.h"

int main(int argc, char** argv) {
  autopin::watch_interrupts();
  try {
    return autopin::run_cli(argc, argv);
  } catch (const autopin::Interrupted&) {
    std::cerr << "autopin: interrupted\n";
    return static_cast<int>(autopin::ExitCode::interrupted);
  } catch (const std::exception& problem) {
    std::cerr << "autopin: " << autopin::printable(problem.what()) << '\n';
    return 1;
  }
}
