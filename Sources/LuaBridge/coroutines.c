// Coroutines: those of the scheduler, those of the script, and how a suspension passes through the latter.
//
// A host function that waits inside a user coroutine must suspend the scheduler's coroutine, not only the innermost
// one. Its yield carries a private address; our `coroutine.resume` and `wrap` recognize it, yield outward with the same
// address, and hand the scheduler's answer inward. The script sees none of it.

#include <string.h>

#include "bridge.h"

static int owned(lua_State *L) {
    return (*repartee_lua_marks(L) & REPARTEE_LUA_OWNED) != 0;
}

lua_State *repartee_lua_new_coroutine(lua_State *L) {
    lua_State *thread = lua_newthread(L);
    *repartee_lua_marks(thread) = (uintptr_t)host_of(L) | REPARTEE_LUA_OWNED;
    return thread;
}

int repartee_lua_is_reusable(lua_State *thread) {
    return (*repartee_lua_marks(thread) & (REPARTEE_LUA_EXPOSED | REPARTEE_LUA_UNSTOPPABLE)) == 0;
}

static int waits(lua_State *thread) {
    return (*repartee_lua_marks(thread) & REPARTEE_LUA_WAITING) != 0;
}

int repartee_lua_resume(lua_State *thread, int arguments, int *results) {
    repartee_lua_host *host = host_of(thread);
    int saved = host->in_host;
    host->in_host = 0;
    host->current = thread;
    host->is_raised = 0;
    repartee_lua_adjust_hook(thread);
    int status = lua_resume(thread, NULL, arguments, results);
    host->current = NULL;
    host->in_host = saved;
    if (status != LUA_YIELD) {
        repartee_lua_fix_error(thread, status);
    }
    return status;
}

int repartee_lua_can_suspend(lua_State *L) {
    repartee_lua_host *host = host_of(L);
    return host->current != NULL && host->blocked == 0 && host->closings == 0 && lua_isyieldable(L);
}

// --- What a script calls ---

static lua_State *checked_thread(lua_State *L, int index) {
    lua_State *thread = lua_tothread(L, index);
    luaL_argexpected(L, thread != NULL, index, "coroutine");
    return thread;
}

static void check_resumable(lua_State *L, lua_State *thread) {
    if (owned(thread)) {
        luaL_error(L, "cannot resume a thread that the engine runs");
    }
    if (waits(thread)) {
        luaL_error(L, "cannot resume a coroutine that waits in a function of the engine");
    }
}

static int resume_further(lua_State *L, int status, lua_KContext is_wrap);

// Resumes the coroutine at index 1 with arguments that are on its stack already.
static int resume_inner(lua_State *L, lua_State *thread, int arguments, int is_wrap) {
    repartee_lua_host *host = host_of(L);
    int is_barrier = !lua_isyieldable(L);
    int results = 0;
    if (is_barrier && host->blocked++ == 0) {
        host->barrier = L;
    }
    int status = lua_resume(thread, L, arguments, &results);
    host->blocked -= is_barrier;
    if (status == LUA_YIELD && results == 1 && lua_touserdata(thread, -1) == &repartee_lua_suspension) {
        lua_pop(thread, 1);
        lua_settop(L, 1);  // stack: thread, … → thread
        *repartee_lua_marks(L) |= REPARTEE_LUA_WAITING;
        lua_pushlightuserdata(L, (void *)&repartee_lua_suspension);
        return lua_yieldk(L, 1, is_wrap, resume_further);
    }
    if (host->killed) {
        lua_settop(L, 1);
        *repartee_lua_marks(L) |= REPARTEE_LUA_WAITING;
        return repartee_lua_stop(L);
    }
    if (status == LUA_OK || status == LUA_YIELD) {
        if (!lua_checkstack(L, results + 1)) {
            lua_pop(thread, results);
            return luaL_error(L, "too many results to resume");
        }
        if (!is_wrap) {
            lua_pushboolean(L, 1);
        }
        lua_xmove(thread, L, results);  // stack: → true?, results
        return results + !is_wrap;
    }
    if (is_wrap) {
        // A failed iterator can be continued by nobody: its variables are closed at once.
        int own = lua_status(thread);
        if (own != LUA_OK && own != LUA_YIELD) {
            host->closings++;
            status = lua_resetthread(thread);
            host->closings--;
        }
    }
    repartee_lua_fix_error(thread, status);
    lua_xmove(thread, L, 1);  // stack: → error
    if (is_wrap || repartee_lua_is_final(L, -1)) {
        return lua_error(L);
    }
    repartee_lua_caught(L);
    lua_pushboolean(L, 0);
    lua_insert(L, -2);  // stack: error → false, error
    return 2;
}

static int resume_further(lua_State *L, int status, lua_KContext is_wrap) {
    (void)status;
    *repartee_lua_marks(L) &= ~REPARTEE_LUA_WAITING;
    lua_State *thread = lua_tothread(L, 1);
    int arguments = lua_gettop(L) - 1;
    if (!lua_checkstack(thread, arguments)) {
        return luaL_error(L, "too many values for a coroutine");
    }
    lua_xmove(L, thread, arguments);  // stack: thread, values, verdict → thread
    return resume_inner(L, thread, arguments, (int)is_wrap);
}

static int start_resume(lua_State *L, lua_State *thread, int is_wrap) {
    check_resumable(L, thread);
    int arguments = lua_gettop(L) - 1;
    if (!lua_checkstack(thread, arguments)) {
        return luaL_error(L, "too many arguments to resume");
    }
    lua_xmove(L, thread, arguments);  // stack: thread, arguments → thread
    return resume_inner(L, thread, arguments, is_wrap);
}

static int coroutine_resume(lua_State *L) {
    return start_resume(L, checked_thread(L, 1), 0);
}

static int wrapped(lua_State *L) {
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);  // stack: arguments → thread, arguments
    return start_resume(L, lua_tothread(L, 1), 1);
}

static int coroutine_create(lua_State *L) {
    luaL_checktype(L, 1, LUA_TFUNCTION);
    repartee_lua_charge(L, REPARTEE_LUA_COROUTINE_PRICE);
    lua_State *thread = lua_newthread(L);
    lua_pushvalue(L, 1);
    lua_xmove(L, thread, 1);
    return 1;
}

static int coroutine_wrap(lua_State *L) {
    coroutine_create(L);
    lua_pushcclosure(L, wrapped, 1);
    return 1;
}

static int coroutine_yield(lua_State *L) {
    if (owned(L)) {
        return luaL_error(L, "attempt to yield from outside a coroutine");
    }
    return lua_yield(L, lua_gettop(L));
}

static int coroutine_isyieldable(lua_State *L) {
    lua_State *thread = lua_isthread(L, 1) ? lua_tothread(L, 1) : L;
    lua_pushboolean(L, !owned(thread) && lua_isyieldable(thread));
    return 1;
}

static int coroutine_running(lua_State *L) {
    int is_main = lua_pushthread(L);
    if (owned(L)) {
        *repartee_lua_marks(L) |= REPARTEE_LUA_EXPOSED;
        is_main = 1;
    }
    lua_pushboolean(L, is_main);
    return 2;
}

static int coroutine_close(lua_State *L) {
    lua_State *thread = checked_thread(L, 1);
    repartee_lua_host *host = host_of(L);
    check_resumable(L, thread);
    lua_Debug record;
    int status = lua_status(thread);
    if (*repartee_lua_marks(thread) & REPARTEE_LUA_UNSTOPPABLE) {
        return luaL_error(L, "cannot close a coroutine that was stopped for running too long");
    }
    if (thread == L || (status == LUA_OK && lua_getstack(thread, 0, &record))) {
        return luaL_error(L, "cannot close a %s coroutine", thread == L ? "running" : "normal");
    }
    host->closings++;
    status = lua_resetthread(thread);
    host->closings--;
    if (status == LUA_OK) {
        lua_pushboolean(L, 1);
        return 1;
    }
    repartee_lua_fix_error(thread, status);
    lua_xmove(thread, L, 1);  // stack: → error
    if (host->killed) {
        return repartee_lua_stop(L);
    }
    if (repartee_lua_is_final(L, -1)) {
        return lua_error(L);
    }
    host->is_raised = 0;
    lua_pushboolean(L, 0);
    lua_insert(L, -2);
    return 2;
}

void repartee_lua_open_coroutines(lua_State *L) {
    static const luaL_Reg functions[] = {
        {"resume", coroutine_resume},   {"wrap", coroutine_wrap},
        {"create", coroutine_create},   {"yield", coroutine_yield},
        {"running", coroutine_running}, {"isyieldable", coroutine_isyieldable},
        {"close", coroutine_close},     {NULL, NULL},
    };
    lua_getfield(L, -1, "coroutine");
    luaL_setfuncs(L, functions, 0);
    lua_pop(L, 1);
}

// --- Cancellation ---

// Returns the user coroutine in which a suspended thread waits, or NULL.
static lua_State *inner_of(lua_State *thread) {
    lua_Debug record;
    lua_State *inner = NULL;
    if (!lua_getstack(thread, 0, &record) || !lua_checkstack(thread, 3)) {
        return NULL;
    }
    lua_getinfo(thread, "f", &record);
    lua_CFunction function = lua_tocfunction(thread, -1);
    lua_pop(thread, 1);
    if ((function == coroutine_resume || function == wrapped) && lua_getlocal(thread, &record, 1) != NULL) {
        inner = lua_tothread(thread, -1);
        lua_pop(thread, 1);
    }
    return inner;
}

lua_State *repartee_lua_close_innermost(lua_State *thread, int *status) {
    repartee_lua_host *host = host_of(thread);
    if (*repartee_lua_marks(thread) & REPARTEE_LUA_UNSTOPPABLE) {
        return NULL;
    }
    int saved = host->in_host;
    host->in_host = 0;
    host->closings++;
    // Lua makes the small stack of a closed thread before it lets go of the large one. At the limit that would fail,
    // after a collection of everything that frees nothing: for each of the threads that a script has filled its memory
    // with, which takes minutes.
    size_t excess = host->excess;
    host->excess = (host->used > host->limit ? host->used - host->limit : 0) + REPARTEE_LUA_CLOSING_ROOM;
    lua_State *innermost = thread, *inner;
    while (waits(innermost) && (inner = inner_of(innermost)) != NULL && lua_status(inner) == LUA_YIELD) {
        innermost = inner;
    }
    *repartee_lua_marks(innermost) &= ~REPARTEE_LUA_WAITING;
    repartee_lua_set_hook(innermost);
    // Lua goes on with the error that a thread has failed with, unless one of its variables raises another.
    int has_failed = lua_status(innermost) > LUA_YIELD && lua_checkstack(innermost, 2);
    if (has_failed) {
        lua_pushvalue(innermost, -1);
        lua_rawsetp(innermost, LUA_REGISTRYINDEX, &repartee_lua_key_failed);
    }
    *status = lua_resetthread(innermost);
    if (*status != LUA_OK) {
        repartee_lua_fix_error(innermost, *status);
    }
    if (has_failed) {
        lua_rawgetp(innermost, LUA_REGISTRYINDEX, &repartee_lua_key_failed);
        if (*status != LUA_OK && lua_rawequal(innermost, -1, -2)) {
            *status = LUA_OK;
        }
        lua_pop(innermost, 1);
        lua_pushboolean(innermost, 0);
        lua_rawsetp(innermost, LUA_REGISTRYINDEX, &repartee_lua_key_failed);
    }
    host->excess = excess;
    host->closings--;
    host->in_host = saved;
    return innermost;
}

// --- Why a place cannot suspend ---

// Returns the name of the nearest C function below the running one, or NULL if there is none that cannot be suspended.
static const char *function_in_the_way(lua_State *L) {
    lua_Debug record;
    for (int level = 1; lua_getstack(L, level, &record); level++) {
        lua_getinfo(L, "Sn", &record);
        if (record.what[0] == 'C' && record.name != NULL && strcmp(record.name, "pcall") != 0 &&
            strcmp(record.name, "xpcall") != 0) {
            return record.name;
        }
    }
    return NULL;
}

repartee_lua_blocker repartee_lua_blockade(lua_State *L, const char **name) {
    repartee_lua_host *host = host_of(L);
    *name = NULL;
    if (repartee_lua_can_suspend(L)) {
        return REPARTEE_LUA_FREE;
    }
    if (host->closings > 0) {
        return REPARTEE_LUA_IN_CLOSE;
    }
    *name = function_in_the_way(L);
    if (*name == NULL && host->blocked > 0) {
        *name = function_in_the_way(host->barrier);
    }
    if (*name != NULL) {
        return strcmp(*name, "require") == 0 ? REPARTEE_LUA_IN_REQUIRE : REPARTEE_LUA_IN_C_FUNCTION;
    }
    return REPARTEE_LUA_IN_ENGINE_CALL;
}
