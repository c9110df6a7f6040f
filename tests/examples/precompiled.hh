// What every example includes, compiled once for all of them.
#include <strata/strata.hpp>
