#include "AllocatorSettings.h"

// Ten thousand users take several hundred megabytes, which pages of 4 KiB would divide into more than the processor can
// keep the places of; huge pages make each of their messages about a seventh cheaper. What is kept for later use counts
// as used with them: a run that writes its results every few seconds would grow to twice its size in half an hour. A
// thread of the allocator's own gives back what others have freed: those that write results come and go, each leaves
// behind what it used last, and nobody else would look after that.
const char *malloc_conf = "thp:always,metadata_thp:always,retain:false,background_thread:true";
