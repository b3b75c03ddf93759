#include "thrust/zipped.h"
