# NAME:MODULE for each NAME_fuzz.cpp here, which fuzzes a module of src/.
set(fuzz_targets
  nix_source:nix
  log:log
  rules:log
  python_version:python
  python_requirement:python
  python_index_page:python
  python_archive:python
  python_metadata:python)
