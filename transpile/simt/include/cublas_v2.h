// cuBLAS on a CPU: the routines of everyday use.
#ifndef SIMT_CUBLAS_V2_H
#define SIMT_CUBLAS_V2_H

#include "simt/blas/names.h"

// By these names programs ask whether CUDA's header is there.
#ifndef SIMT_HIP
#define CUBLAS_V2_H_
#define CUBLAS_API_H_
#endif

#endif
