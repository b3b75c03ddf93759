// Half precision.
#ifndef SIMT_CUDA_FP16_H
#define SIMT_CUDA_FP16_H

#include "simt/simt.h"
#include "simt/small_float.h"

using __half = simt::SmallFloat<simt::HalfFormat>;
using __half2 = simt::SmallFloat2<simt::HalfFormat>;
using half = __half;
using half2 = __half2;

SIMT_SMALL_FLOAT_NAMES(__half, __half2, half, half2)

#define CUDART_INF_FP16 __ushort_as_half(static_cast<unsigned short>(0x7C00u))
#define CUDART_NAN_FP16 __ushort_as_half(static_cast<unsigned short>(0x7FFFu))
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(static_cast<unsigned short>(0x7BFFu))
#define CUDART_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x0000u))
#define CUDART_ONE_FP16 __ushort_as_half(static_cast<unsigned short>(0x3C00u))

#endif
