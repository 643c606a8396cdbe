// The table functions that walk a length given by the script: bounded, because no hook can stop a loop in C.

#include "bridge.h"

static int refuse(lua_State *L, lua_Integer count) {
    return luaL_error(L, "%I elements are too many for a table function; the most is %I", (LUAI_UACINT)count,
                      (LUAI_UACINT)REPARTEE_LUA_MOST_ELEMENTS);
}

// Calls the stock function in upvalue 1 with all arguments; not suspendable, as the stock function is not either.
static int forward(lua_State *L) {
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_CFunction stock = lua_tocfunction(L, -1);
    lua_pop(L, 1);
    return stock(L);
}

// insert, remove, sort: the length of the table is what they walk.
static int by_length(lua_State *L) {
    if (lua_istable(L, 1)) {
        lua_Integer length = luaL_len(L, 1);
        if (length > REPARTEE_LUA_MOST_ELEMENTS) {
            return refuse(L, length);
        }
        repartee_lua_charge(L, length / 16);
    }
    return forward(L);
}

static int check_range(lua_State *L, lua_Integer first, lua_Integer last) {
    if (first <= last) {
        lua_Unsigned count = (lua_Unsigned)last - (lua_Unsigned)first;
        if (count >= (lua_Unsigned)REPARTEE_LUA_MOST_ELEMENTS) {
            return refuse(L, (lua_Integer)(count > LUA_MAXINTEGER ? LUA_MAXINTEGER : count));
        }
        repartee_lua_charge(L, (int64_t)count / 16);
    }
    return 0;
}

static int concat(lua_State *L) {
    if (lua_istable(L, 1)) {
        check_range(L, luaL_optinteger(L, 3, 1), lua_isnoneornil(L, 4) ? luaL_len(L, 1) : luaL_checkinteger(L, 4));
    }
    return forward(L);
}

static int move(lua_State *L) {
    check_range(L, luaL_checkinteger(L, 2), luaL_checkinteger(L, 3));
    return forward(L);
}

void repartee_lua_open_tables(lua_State *L) {
    static const luaL_Reg guarded[] = {
        {"insert", by_length}, {"remove", by_length}, {"sort", by_length}, {"concat", concat}, {"move", move},
        {NULL, NULL},
    };
    lua_getfield(L, -1, "table");
    for (const luaL_Reg *entry = guarded; entry->name != NULL; entry++) {
        lua_getfield(L, -1, entry->name);
        lua_pushcclosure(L, entry->func, 1);  // stack: stock → guarded
        lua_setfield(L, -2, entry->name);
    }
    lua_pop(L, 1);
}
