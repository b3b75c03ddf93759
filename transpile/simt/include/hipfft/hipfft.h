#include "hip/hip_runtime.h"

#include "cufft.h"
