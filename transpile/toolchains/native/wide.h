// From here on float means double and double means long double, in types, functions and vectors: the reference
// that tolerances are measured against. Included after the standard headers, which would not survive it.
#pragma once

#ifdef __cplusplus
#include <algorithm>
#include <array>
#include <atomic>
#include <bitset>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <set>
#include <sstream>
#include <stack>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>
#endif

#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include "wide_double.h"

#define float transpile_double

#define acosf acos
#define asinf asin
#define atanf atan
#define atan2f atan2
#define cbrtf cbrt
#define ceilf ceil
#define copysignf copysign
#define cosf cos
#define coshf cosh
#define erff erf
#define erfcf erfc
#define expf exp
#define exp2f exp2
#define expm1f expm1
#define fabsf fabs
#define floorf floor
#define fmaf fma
#define fmaxf fmax
#define fminf fmin
#define fmodf fmod
#define hypotf hypot
#define lgammaf lgamma
#define logf log
#define log10f log10
#define log1pf log1p
#define log2f log2
#define nearbyintf nearbyint
#define powf pow
#define rintf rint
#define roundf round
#define rsqrtf rsqrt
#define sinf sin
#define sinhf sinh
#define sqrtf sqrt
#define tanf tan
#define tanhf tanh
#define tgammaf tgamma
#define truncf trunc
#define __expf exp
#define __logf log
#define __log2f log2
#define __log10f log10
#define __powf pow
#define __sinf sin
#define __cosf cos
#define __tanf tan
#define __fdividef(a, b) ((a) / (b))
#define __fsqrt_rn sqrt
#define __frsqrt_rn rsqrt
#define __fadd_rn(a, b) ((a) + (b))
#define __fsub_rn(a, b) ((a) - (b))
#define __fmul_rn(a, b) ((a) * (b))
#define __fdiv_rn(a, b) ((a) / (b))
#define __fmaf_rn fma
#define __frcp_rn(a) (1 / (a))
#define __exp10f exp10
#define __sincosf sincos
#define acoshf acosh
#define asinhf asinh
#define atanhf atanh
#define cospif cospi
#define erfcinvf erfcinv
#define erfinvf erfinv
#define exp10f exp10
#define fdimf fdim
#define fdividef(a, b) ((a) / (b))
#define frexpf frexp
#define ldexpf ldexp
#define modff modf
#define norm3df norm3d
#define normcdff normcdf
#define normcdfinvf normcdfinv
#define rcbrtf rcbrt
#define remainderf remainder
#define rhypotf rhypot
#define sincosf sincos
#define sincospif sincospi
#define sinpif sinpi
