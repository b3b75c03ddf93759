#include "hip/hip_runtime.h"

#include "cusparse.h"
