// The primitives of asynchronous copies; the classes of namespace nvcuda::experimental are lacking.
#ifndef SIMT_CUDA_PIPELINE_H
#define SIMT_CUDA_PIPELINE_H

#include "cuda_pipeline_primitives.h"

#endif
