#pragma once
// Before the search: a walk along the best candidates that asks for each page
// and each metadata as soon as it is known to be wanted, many at a time, so
// that the search finds nearly all of it there. It decides nothing: its order
// is that of the requirements and not of the answers. Private to this folder.

#include <vector>

#include "python/candidates.h"

namespace autopin::python {

/// Stops quietly where the index fails; the search says so if it needs that.
void foresee(Universe& universe, const std::vector<Demand>& roots);

}  // namespace autopin::python
