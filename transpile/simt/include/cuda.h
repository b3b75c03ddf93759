#include "simt/simt.h"

#include "simt/driver.h"
