#include "simt/simt.h"
