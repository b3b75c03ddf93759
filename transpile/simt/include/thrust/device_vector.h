#include "thrust/thrust.h"
