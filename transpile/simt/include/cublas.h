// cuBLAS on a CPU as it was before handles. Not to be included beside cublas_v2.h, whose names are the same.
#include "simt/blas/legacy.h"
