"""Names that mean something to CUDA alone."""

from __future__ import annotations

import re

CUDA_NAME = re.compile(
    r"\b(threadIdx|blockIdx|blockDim|gridDim|warpSize|__syncthreads\w*|__syncwarp|__shfl\w*|__ballot\w*|__any\w*|__all\w*"
    r"|__activemask|__shared__|__device__|__global__|__host__|__constant__|__ldg\w*|__threadfence\w*|atomic[A-Z]\w*"
    r"|__launch_bounds__|__forceinline__|cuda(?:TextureObject|SurfaceObject)_t|__pipeline\w*|tex[123]D\w*|surf[123]D\w*|clock64|__trap"
    r"|cooperative_groups|(?:cub|cuda|thrust|nvcuda)(?=\s*::))\b"
)
"""Names that exist only where CUDA does."""

_NUMBERS = r"(?:half|bfloat16)"
_PAIRS = r"(?:half2|bfloat162)"
SMALL_FLOATS = re.compile(
    r"__(?:half2?|nv_bfloat162?)"
    r"|__h(?:add|sub|mul|div|min|max|eq|ne|lt|le|gt|ge|fma|neg|abs|isnan|isinf)(?:_rn)?2?|__hb(?:eq|ne|lt|le|gt|ge)2"
    rf"|__(?:float|double|u?int|u?short|u?ll|floats|float2|halves|low|high|lows|highs|half|bfloat16)2"
    rf"(?:{_NUMBERS}|{_PAIRS})(?:_rn)?"
    rf"|__{_NUMBERS}2(?:float|u?int_r[nzdu]|short_rn)|__{_PAIRS}2float2|__(?:low|high)2float"
    rf"|__{_NUMBERS}_as_u?short|__u?short_as_{_NUMBERS}"
)
"""Types and functions of ``cuda_fp16.h`` and ``cuda_bf16.h``, which a port has from the emulator."""
WORD_OPERATIONS = re.compile(
    r"__v(?:add(?:[su]s)?|sub(?:[su]s)?|(?:abs|neg)(?:ss)?|(?:absdiff|max|min|avg|sad)[su]|haddu"
    r"|(?:cmp|set)(?:eq|ne|[gl][et][su]))[24]"
)
"""Operations on the bytes or halves of a word, which a port has from the emulator as well."""
NUMBER_OPERATIONS = re.compile(
    r"__(?:brev(?:ll)?|byte_perm|funnelshift_[lr]c?|fns|dp[24]a(?:_lo|_hi)?|u?rhadd|uhadd"
    r"|double2(?:hi|lo)int|hiloint2double"
    r"|(?:float|double)2(?:u?int|u?ll)_r[nzud]|(?:u?int|u?ll)2float_r[zud]|u?ll2double_r[zud]|double2float_r[zud]"
    r"|f(?:add|sub|mul|div|rcp|sqrt|maf)_r[zud]|d(?:add|sub|mul|div|rcp|sqrt)_r[zud]|fma_r[zud])"
)
"""Operations on integers and on bits, and roundings but the usual one, which a port has from the emulator."""
SMALL_FLOAT_TYPES = frozenset(
    f"{prefix}{name}{count}"
    for prefix, name in (("", "half"), ("__", "half"), ("", "nv_bfloat16"), ("__", "nv_bfloat16"))
    for count in ("", "2")
)
"""Classes of theirs that atomic additions work on, one number or two."""
