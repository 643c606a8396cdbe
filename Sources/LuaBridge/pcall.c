// Protected calls: pcall and xpcall, which pass on what no script may catch, such as a failed expectation.

#include "bridge.h"

static int finish_call(lua_State *L, int status, lua_KContext extra) {
    if (status == LUA_OK || status == LUA_YIELD) {
        return lua_gettop(L) - (int)extra;
    }
    // A protected call has switched the hooks on again.
    *repartee_lua_marks(L) &= ~REPARTEE_LUA_UNSTOPPABLE;
    if (host_of(L)->killed) {
        return repartee_lua_stop(L);
    }
    if (repartee_lua_is_final(L, -1)) {
        return lua_error(L);
    }
    repartee_lua_fix_error(L, status);
    repartee_lua_caught(L);
    lua_pushboolean(L, 0);
    lua_insert(L, -2);  // stack: error → false, error
    return 2;
}

static int base_pcall(lua_State *L) {
    luaL_checkany(L, 1);
    lua_pushboolean(L, 1);
    lua_insert(L, 1);  // stack: function, arguments → true, function, arguments
    int status = lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, finish_call);
    return finish_call(L, status, 0);
}

// A message handler of a script. Upvalue 1 is the script's function.
//
// An error that the hook raises reaches the handler with the hooks switched off, so that nothing could stop it: the
// script's function is not called then. Nor is it called for an error that it could replace by one that can be caught.
static int handle_message(lua_State *L) {
    if (!host_of(L)->killed && !repartee_lua_is_final(L, 1)) {
        lua_pushvalue(L, lua_upvalueindex(1));
        lua_insert(L, 1);  // stack: error → handler, error
        lua_call(L, lua_gettop(L) - 1, 1);
    }
    return 1;
}

static int base_xpcall(lua_State *L) {
    int count = lua_gettop(L);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_pushvalue(L, 2);
    lua_pushcclosure(L, handle_message, 1);
    lua_replace(L, 2);
    lua_pushboolean(L, 1);
    lua_pushvalue(L, 1);
    lua_rotate(L, 3, 2);  // stack: function, handler, arguments → function, handler, true, function, arguments
    int status = lua_pcallk(L, count - 2, LUA_MULTRET, 2, 2, finish_call);
    return finish_call(L, status, 2);
}

void repartee_lua_open_protected_calls(lua_State *L) {
    static const luaL_Reg functions[] = {{"pcall", base_pcall}, {"xpcall", base_xpcall}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
