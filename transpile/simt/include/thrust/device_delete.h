#include "thrust/allocation.h"
