#include "hip/hip_runtime.h"

#include "cub/cub.cuh"

namespace hipcub = cub;
