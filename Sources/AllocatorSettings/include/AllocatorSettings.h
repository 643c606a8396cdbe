// Settings of jemalloc for the whole program, read by the allocator itself before the program begins.

#ifndef REPARTEE_ALLOCATOR_SETTINGS_H
#define REPARTEE_ALLOCATOR_SETTINGS_H

// The name that jemalloc looks for (its manual, section "TUNING"); the variable MALLOC_CONF overrides it.
extern const char *malloc_conf;

#endif
