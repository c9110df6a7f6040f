// The door: everything an embedder includes.
#pragma once

#include "world.hpp"
