#pragma once
// The fixes by name; each in a file of its own, which says what it transforms
// and when it is offered.

#include "fix/fix.h"

namespace autopin::fix {

Offer pin_requirement(const Failure&, const Situation&, const Permissions&);
Offer add_python_input(const Failure&, const Situation&, const Permissions&);
Offer add_input(const Failure&, const Situation&, const Permissions&);
Offer pin_test_runner(const Failure&, const Situation&, const Permissions&);
Offer disable_tests(const Failure&, const Situation&, const Permissions&);
Offer disable_test_files(const Failure&, const Situation&, const Permissions&);
Offer disable_suite(const Failure&, const Situation&, const Permissions&);
Offer use_hash(const Failure&, const Situation&, const Permissions&);
Offer pin_cuda(const Failure&, const Situation&, const Permissions&);
Offer rename_attribute(const Failure&, const Situation&, const Permissions&);
Offer add_argument(const Failure&, const Situation&, const Permissions&);
Offer rename_argument(const Failure&, const Situation&, const Permissions&);
Offer use_one_python(const Failure&, const Situation&, const Permissions&);
Offer permit_package(const Failure&, const Situation&, const Permissions&);
Offer set_home(const Failure&, const Situation&, const Permissions&);
Offer set_cmake_policy(const Failure&, const Situation&, const Permissions&);
Offer add_shared_library(const Failure&, const Situation&, const Permissions&);
Offer pin_in_scope(const Failure&, const Situation&, const Permissions&);
Offer raise_priority(const Failure&, const Situation&, const Permissions&);
Offer provide_model(const Failure&, const Situation&, const Permissions&);
Offer relax_requirement(const Failure&, const Situation&, const Permissions&);
Offer use_cuda_stdenv(const Failure&, const Situation&, const Permissions&);
Offer drop_argument(const Failure&, const Situation&, const Permissions&);
Offer set_format(const Failure&, const Situation&, const Permissions&);
Offer add_unpacker(const Failure&, const Situation&, const Permissions&);
Offer allow_warning(const Failure&, const Situation&, const Permissions&);
Offer drop_colliding_file(const Failure&, const Situation&, const Permissions&);
Offer drop_patch(const Failure&, const Situation&, const Permissions&);
Offer drop_test_options(const Failure&, const Situation&, const Permissions&);
Offer drop_test_path(const Failure&, const Situation&, const Permissions&);
Offer fix_url(const Failure&, const Situation&, const Permissions&);
Offer ignore_missing_library(const Failure&, const Situation&,
                             const Permissions&);
Offer pin_module(const Failure&, const Situation&, const Permissions&);
Offer set_prefix(const Failure&, const Situation&, const Permissions&);
Offer set_scm_version(const Failure&, const Situation&, const Permissions&);
Offer use_fake_hash(const Failure&, const Situation&, const Permissions&);

}  // namespace autopin::fix
