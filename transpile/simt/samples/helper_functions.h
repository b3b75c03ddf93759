// All of the helpers of CUDA's samples that need no device.
#ifndef SIMT_HELPER_FUNCTIONS_H
#define SIMT_HELPER_FUNCTIONS_H

#include <algorithm>
#include <assert.h>
#include <fstream>
#include <iostream>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <vector>

#include "helper_image.h"
#include "helper_string.h"
#include "helper_timer.h"

#endif
