#include "thrust/iterators.h"
