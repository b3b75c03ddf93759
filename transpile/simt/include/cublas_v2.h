// cuBLAS on a CPU: the routines of everyday use.
#include "simt/blas/names.h"
