#include "hip/hip_runtime.h"

#include "library_types.h"
