#include "AllocatorSettings.h"

// Ten thousand users take several hundred megabytes, which pages of 4 KiB would divide into more than the processor can
// keep the places of; huge pages make each of their messages about a seventh cheaper.
const char *malloc_conf = "thp:always,metadata_thp:always";
