// The one thing that two threads share: a watchdog sees by a count whether a script is still at the same, and leaves
// the count of what is to end. Nothing else hangs on the order of these reads and writes, so all of them are relaxed.

#include "bridge.h"

void repartee_lua_begin_turn(repartee_lua_host *host) {
    host->turn = (host->turn + 1) | 1;
    host->paid = host->allocated;
    // What a whole state holds is more than any text in it.
    if (host->used < REPARTEE_LUA_LONG_TEXT) {
        host->has_long_text = 0;
    }
    __atomic_store_n(&host->watch->turn, host->turn, __ATOMIC_RELAXED);
}

void repartee_lua_end_turn(repartee_lua_host *host) {
    host->turn = (host->turn + 1) & ~(uint64_t)1;
    __atomic_store_n(&host->watch->turn, host->turn, __ATOMIC_RELAXED);
}

uint64_t repartee_lua_watched_turn(const repartee_lua_watch *watch) {
    return __atomic_load_n(&watch->turn, __ATOMIC_RELAXED);
}

void repartee_lua_stop_turn(repartee_lua_watch *watch, uint64_t turn) {
    __atomic_store_n(&watch->stopped, turn, __ATOMIC_RELAXED);
}
