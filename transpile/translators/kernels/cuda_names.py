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
