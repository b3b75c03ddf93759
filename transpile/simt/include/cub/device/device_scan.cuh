#include "simt/device_algorithms.h"
