// Errors: who raised one, the script or Lua.
//
// A script's `error "…"` and Lua's "attempt to index a nil value" have the same status and the same form, and where an
// error is caught, the calls are over that would tell. So `error` and `assert` note that they raise one, until it is
// caught or the engine takes it. What a script catches of Lua's and raises again is still Lua's.

#include <string.h>

#include "bridge.h"

// A longer text that is caught is not remembered: it would be kept beyond its script.
#define MOST_REMEMBERED 4096

// Calls the stock function in upvalue 1 in its place: it puts the position of its caller before a message.
static int stock(lua_State *L) {
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

static int base_error(lua_State *L) {
    host_of(L)->is_raised = 1;
    return stock(L);
}

static int base_assert(lua_State *L) {
    // Without any argument it is a wrong call of `assert`, of which Lua complains.
    if (!lua_toboolean(L, 1) && !lua_isnone(L, 1)) {
        host_of(L)->is_raised = 1;
    }
    return stock(L);
}

static void replace(lua_State *L, const char *name, lua_CFunction function) {
    lua_getfield(L, -1, name);
    lua_pushcclosure(L, function, 1);
    lua_setfield(L, -2, name);
}

void repartee_lua_open_errors(lua_State *L) {
    replace(L, "error", base_error);
    replace(L, "assert", base_assert);
    // The entries are there from now on, so that it takes no memory to remember an error.
    lua_pushboolean(L, 0);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_caught);
    lua_pushboolean(L, 0);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_failed);
}

void repartee_lua_caught(lua_State *L) {
    repartee_lua_host *host = host_of(L);
    if (!host->is_raised) {
        if (lua_type(L, -1) == LUA_TSTRING && lua_rawlen(L, -1) <= MOST_REMEMBERED) {
            lua_pushvalue(L, -1);
        } else {
            lua_pushboolean(L, 0);
        }
        lua_rawsetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_caught);
    }
    host->is_raised = 0;
}

// Whether the error on top of the stack is the last one of Lua's that a script caught, as it was or with what the
// script or `error` has put before it.
static int is_caught_before(lua_State *L) {
    size_t length = 0, known_length = 0;
    lua_rawgetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_caught);  // stack: error → error, caught
    int is_known = 0;
    if (lua_type(L, -1) == LUA_TSTRING && lua_type(L, -2) == LUA_TSTRING) {
        const char *known = lua_tolstring(L, -1, &known_length), *text = lua_tolstring(L, -2, &length);
        is_known = known_length > 0 && length >= known_length &&
                   memcmp(text + length - known_length, known, known_length) == 0 &&
                   (length == known_length ||
                    (length >= known_length + 2 && memcmp(text + length - known_length - 2, ": ", 2) == 0));
    }
    lua_pop(L, 1);
    return is_known;
}

int repartee_lua_take_raised(lua_State *L) {
    repartee_lua_host *host = host_of(L);
    int is_raised = host->is_raised;
    host->is_raised = 0;
    return is_raised && !is_caught_before(L);
}
