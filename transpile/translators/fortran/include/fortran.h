// The library of C++ that was Fortran: arrays, intrinsic functions, characters, input and output.
#pragma once

#include "fortran/array.h"
#include "fortran/character.h"
#include "fortran/expression.h"
#include "fortran/input.h"
#include "fortran/intrinsics.h"
#include "fortran/numeric.h"
#include "fortran/output.h"
#include "fortran/system.h"
