// The public API: the one header that a program includes.
#pragma once

#include "world.hpp"
