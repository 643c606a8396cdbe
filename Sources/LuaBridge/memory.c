// Memory: the allocator with its limit, the error that says that it is exceeded, collections.

#include <stdlib.h>
#include <string.h>

#include "bridge.h"

// Tables and texts come and go with each message, and a C library's allocator serves all threads: what Lua lets go of
// is kept, up to a bound, in lists by size that belong to this state alone. Where a sanitizer looks for what is used
// after it was freed, nothing is kept.
#define MOST_KEPT_BYTES ((size_t)64 << 10)
#if defined(__has_feature)
#define IS_SANITIZED __has_feature(address_sanitizer)
#else
#define IS_SANITIZED 0
#endif

// Returns in which list a block stands, 0 for one that is not kept.
static size_t list_of(size_t size) {
    size_t list = (size + 15) / 16;
    return IS_SANITIZED || list > REPARTEE_LUA_KEPT_SIZES ? 0 : list;
}

static void *make_block(repartee_lua_host *host, size_t size) {
    size_t list = list_of(size);
    if (list == 0) {
        return malloc(size);
    }
    void *block = host->kept[list];
    if (block == NULL) {
        return malloc(list * 16);
    }
    host->kept[list] = *(void **)block;
    host->kept_bytes -= list * 16;
    return block;
}

static void drop_block(repartee_lua_host *host, void *block, size_t size) {
    size_t list = list_of(size);
    if (list == 0 || host->kept_bytes >= MOST_KEPT_BYTES) {
        free(block);
        return;
    }
    *(void **)block = host->kept[list];
    host->kept[list] = block;
    host->kept_bytes += list * 16;
}

static void *resize_block(repartee_lua_host *host, void *block, size_t old_size, size_t new_size) {
    size_t old_list = list_of(old_size), new_list = list_of(new_size);
    if (old_list == 0 && new_list == 0) {
        return realloc(block, new_size);
    }
    if (old_list == new_list) {
        return block;
    }
    void *result = make_block(host, new_size);
    if (result == NULL) {
        // Lua relies on it that a block can be made smaller; one that is larger than its list says does no harm.
        return new_size < old_size ? block : NULL;
    }
    memcpy(result, block, old_size < new_size ? old_size : new_size);
    drop_block(host, block, old_size);
    return result;
}

void repartee_lua_free_kept(repartee_lua_host *host) {
    for (size_t list = 1; list <= REPARTEE_LUA_KEPT_SIZES; list++) {
        while (host->kept[list] != NULL) {
            void *block = host->kept[list];
            host->kept[list] = *(void **)block;
            free(block);
        }
    }
    host->kept_bytes = 0;
}

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
        if (block != NULL) {
            host->used -= old_size;
            drop_block(host, block, old_size);
        }
        return NULL;
    }
    if (new_size > old_size && host->limit != 0 && host->in_host == 0 &&
        host->used + (new_size - old_size) > host->limit + host->excess) {
        return NULL;
    }
    void *result = block == NULL ? make_block(host, new_size) : resize_block(host, block, old_size, new_size);
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
