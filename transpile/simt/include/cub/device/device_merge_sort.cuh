#include "simt/device_selection.h"
