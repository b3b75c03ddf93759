#include "simt/block_collectives.h"
#include "simt/device_algorithms.h"
#include "simt/device_selection.h"
