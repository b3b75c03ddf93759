#include "hip/hip_runtime.h"

#include "math_constants.h"
