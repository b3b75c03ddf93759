#include "hip/hip_runtime.h"

#include "cuComplex.h"
