// Handles: userdata that name a Swift object by index and generation.

#include "bridge.h"

#define MAGIC 0x52504841u

const repartee_lua_handle *repartee_lua_to_handle(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TUSERDATA || lua_rawlen(L, index) != sizeof(repartee_lua_handle)) {
        return NULL;
    }
    const repartee_lua_handle *handle = lua_touserdata(L, index);
    return handle->magic == MAGIC ? handle : NULL;
}

int repartee_lua_is_final(lua_State *L, int index) {
    const repartee_lua_handle *handle = repartee_lua_to_handle(L, index);
    return handle != NULL && handle->type == REPARTEE_LUA_TYPE_FINAL;
}

static int release(lua_State *L) {
    const repartee_lua_handle *handle = repartee_lua_to_handle(L, 1);
    if (handle != NULL) {
        repartee_lua_host *host = host_of(L);
        host->in_host++;
        host->release(host->context, handle->index, handle->generation);
        host->in_host--;
    }
    return 0;
}

// Upvalue 1 holds the methods, 2 the slot that serves other members; those that never change lie in the handle's user
// value once they have been served.
static int member(lua_State *L) {
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) {
        return 1;
    }
    lua_settop(L, 2);
    if (lua_type(L, 1) == LUA_TUSERDATA && lua_getiuservalue(L, 1, 1) == LUA_TTABLE) {
        lua_pushvalue(L, 2);
        if (lua_rawget(L, 3) != LUA_TNIL) {
            return 1;
        }
    }
    lua_settop(L, 2);
    return repartee_lua_enter(L, (int)lua_tointeger(L, lua_upvalueindex(2)));
}

void repartee_lua_keep_member(lua_State *L, int handle, int name) {
    int value = lua_gettop(L);
    if (lua_getiuservalue(L, handle, 1) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_createtable(L, 0, 4);
        lua_pushvalue(L, -1);
        lua_setiuservalue(L, handle, 1);
    }
    lua_pushvalue(L, name);
    lua_pushvalue(L, value);
    lua_rawset(L, -3);
    lua_settop(L, value);
}

// Goes through the members that the host gives as a table. Upvalue 1 is the slot that gives it.
static int pairs_of_members(lua_State *L) {
    lua_settop(L, 1);
    repartee_lua_enter(L, (int)lua_tointeger(L, lua_upvalueindex(1)));  // stack: handle → handle, members
    lua_replace(L, 1);
    return repartee_lua_pairs(L);
}

// Texts are joined with handles so that messages can name them.
static int join(lua_State *L) {
    repartee_lua_text(L, 1);
    repartee_lua_text(L, 2);
    lua_concat(L, 2);
    return 1;
}

void repartee_lua_make_handle_type(lua_State *L, const char *name, int index_slot, int text_slot, int pairs_slot) {
    lua_createtable(L, 0, 7);
    lua_pushstring(L, name);
    lua_setfield(L, -2, "__name");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pushcfunction(L, release);
    lua_setfield(L, -2, "__gc");
    lua_pushcfunction(L, join);
    lua_setfield(L, -2, "__concat");
    if (text_slot >= 0) {
        repartee_lua_push_host_function(L, text_slot);
        lua_setfield(L, -2, "__tostring");
    }
    if (pairs_slot >= 0) {
        lua_pushinteger(L, pairs_slot);
        lua_pushcclosure(L, pairs_of_members, 1);
        lua_setfield(L, -2, "__pairs");
    }
    lua_insert(L, -2);  // stack: methods, metatable → metatable, methods
    if (index_slot >= 0) {
        lua_pushinteger(L, index_slot);
        lua_pushcclosure(L, member, 2);
    }
    lua_setfield(L, -2, "__index");
}

void repartee_lua_push_handle(lua_State *L, uint32_t type, uint32_t index, uint32_t generation) {
    repartee_lua_handle *handle = lua_newuserdatauv(L, sizeof *handle, 1);
    *handle = (repartee_lua_handle){MAGIC, type, index, generation};
    lua_insert(L, -2);
    lua_setmetatable(L, -2);  // stack: metatable → handle
}
