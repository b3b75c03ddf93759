#include "simt/block_collectives.h"
