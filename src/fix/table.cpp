// The table of fixes. A new fix is one file and one row here; rules offer it by
// its name.

#include "fix/fix.h"
#include "fix/fixes.h"

namespace autopin::fix {

constexpr std::string_view permit_word = "only with --allow permits";

const std::vector<Fix>& all_fixes() {
  static const std::vector<Fix> fixes{
      {"pin-requirement", pin_requirement},
      {"pin-test-runner", pin_test_runner},
      {"pin-cuda", pin_cuda},
      {"add-python-input", add_python_input},
      {"add-python-module", add_python_input},
      {"add-build-requirement", add_python_input},
      {"add-test-plugin", add_python_input},
      {"add-header-input", add_input},
      {"add-library-input", add_input},
      {"add-pkg-config-input", add_input},
      {"add-cmake-package", add_input},
      {"add-command-input", add_input},
      {"disable-tests", disable_tests},
      {"disable-test-files", disable_test_files},
      {"disable-suite", disable_suite},
      {"use-hash", use_hash,
       "for a hash that was real: only with --accept-changed-hash"},
      {"set-home", set_home},
      {"set-cmake-policy", set_cmake_policy},
      {"add-shared-library", add_shared_library},
      {"pin-in-scope", pin_in_scope},
      {"raise-priority", raise_priority},
      {"provide-model", provide_model},
      {"relax-requirement", relax_requirement},
      {"use-cuda-stdenv", use_cuda_stdenv},
      {"drop-argument", drop_argument},
      {"set-format", set_format},
      {"rename-attribute", rename_attribute},
      {"add-argument", add_argument},
      {"rename-argument", rename_argument},
      {"use-one-python", use_one_python},
      {"add-unpacker", add_unpacker},
      {"allow-warning", allow_warning},
      {"drop-colliding-file", drop_colliding_file},
      {"drop-patch", drop_patch},
      {"drop-test-options", drop_test_options},
      {"drop-test-path", drop_test_path},
      {"fix-url", fix_url},
      {"ignore-missing-library", ignore_missing_library},
      {"pin-module", pin_module},
      {"set-prefix", set_prefix},
      {"set-scm-version", set_scm_version},
      {"use-fake-hash", use_fake_hash},
      {"allow-unfree", permit_package, permit_word},
      {"allow-broken", permit_package, permit_word},
      {"allow-insecure", permit_package, permit_word},
      {"allow-unsupported", permit_package, permit_word},
  };
  return fixes;
}

}  // namespace autopin::fix
