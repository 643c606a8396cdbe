// Memory: the allocator with its limit, the error that says that it is exceeded, collections.

#include <stdlib.h>

#include "bridge.h"

// Fails only while none but C and Lua frames would be left by the error. Where a Swift frame is on top, the limit is
// exceeded for the moment and repartee_lua_enter raises the error as soon as Swift has returned.
void *repartee_lua_allocate(void *data, void *block, size_t old_size, size_t new_size) {
    repartee_lua_host *host = data;
    if (block == NULL) {
        // Lua says instead what it makes.
        if (old_size == LUA_TSTRING && new_size >= REPARTEE_LUA_LONG_TEXT) {
            host->has_long_text = 1;
        }
        old_size = 0;
    }
    if (new_size == 0) {
        host->used -= old_size;
        free(block);
        return NULL;
    }
    if (new_size > old_size && host->limit != 0 && host->in_host == 0 &&
        host->used + (new_size - old_size) > host->limit + host->excess) {
        return NULL;
    }
    void *result = realloc(block, new_size);
    if (result == NULL) {
        if (host->in_host > 0) {
            abort();
        }
        return NULL;
    }
    host->used += new_size - old_size;
    if (new_size > old_size) {
        host->allocated += new_size - old_size;
    }
    return result;
}

void repartee_lua_check_memory(lua_State *L) {
    repartee_lua_host *host = host_of(L);
    lua_gc(L, LUA_GCCOLLECT);
    if (host->used > host->limit) {
        repartee_lua_push_memory_message(L);  // stack: → message
        lua_error(L);
    }
}

void repartee_lua_open_memory(lua_State *L) {
    repartee_lua_host *host = host_of(L);
    lua_pushfstring(L, "memory limit of %d MB exceeded: the script holds more than it may; keep less",
                    (int)((host->limit + 1048575) / 1048576));
    lua_rawsetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_memory);
}

void repartee_lua_fix_error(lua_State *L, int status) {
    if (status == LUA_ERRMEM) {
        lua_pop(L, 1);
        repartee_lua_push_memory_message(L);  // stack: error → message
    }
}

void repartee_lua_push_memory_message(lua_State *L) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_memory);
}

// Lua knows the threshold as a share of what a collection leaves, and at most tenfold. A heap of some megabytes, which
// holds the stacks of a thousand users, would be walked whole after each few thousand messages.
#define MOST_PERCENT 1000
#define STEP_PERCENT 50

void repartee_lua_tune_collection(repartee_lua_host *host) {
    if (host->garbage_allowance == 0) {
        return;
    }
    // What is in use never leaves the range that a threshold allows, unless the heap has grown.
    if (host->used < host->least_used || host->used / (MOST_PERCENT / 100 + 1) > host->least_used) {
        host->least_used = host->used;
    }
    size_t percent = 100 + host->garbage_allowance / (host->least_used / 100 + 1);
    percent -= percent % STEP_PERCENT;
    int threshold = percent > MOST_PERCENT ? MOST_PERCENT : (int)percent;
    if (threshold < host->collection_threshold) {
        threshold = host->collection_threshold;
    }
    if (threshold != host->tuned_threshold) {
        host->tuned_threshold = threshold;
        lua_gc(host->main, LUA_GCINC, threshold, 0, 0);
    }
}

void repartee_lua_collect(lua_State *L) {
    lua_gc(L, LUA_GCCOLLECT);
}

void repartee_lua_collect_step(lua_State *L, int kilobytes) {
    lua_gc(L, LUA_GCSTEP, kilobytes);
}
