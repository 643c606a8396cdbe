// The table functions that walk a length given by the script: bounded, because no hook can stop a loop in C.

#include "bridge.h"

static int refuse(lua_State *L, lua_Integer count) {
    return luaL_error(L, "%I elements are too many for a table function; the most is %I", (LUAI_UACINT)count,
                      (LUAI_UACINT)REPARTEE_LUA_MOST_ELEMENTS);
}

// insert, remove, sort: the length of the table is what they walk.
static void check_length(lua_State *L) {
    if (lua_istable(L, 1)) {
        lua_Integer length = luaL_len(L, 1);
        if (length > REPARTEE_LUA_MOST_ELEMENTS) {
            refuse(L, length);
        }
        repartee_lua_charge(L, length / 16);
    }
}

static int by_length(lua_State *L) {
    check_length(L);
    return repartee_lua_forward(L);
}

// An order that pays for each comparison: one in C runs no instruction that a hook would count, and metamethods can
// make elements out of nothing.
static void pay_for_comparison(lua_State *L) {
    int64_t price = 2;
    if (lua_type(L, 1) == LUA_TSTRING && lua_type(L, 2) == LUA_TSTRING) {
        size_t one = lua_rawlen(L, 1), other = lua_rawlen(L, 2);
        price += (int64_t)((one < other ? one : other) / 64);
    }
    repartee_lua_charge(L, price);
}

static int is_less(lua_State *L) {
    pay_for_comparison(L);
    lua_pushboolean(L, lua_compare(L, 1, 2, LUA_OPLT));
    return 1;
}

// Upvalue 1 is a comparison that is written in C.
static int is_less_by_function(lua_State *L) {
    pay_for_comparison(L);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, 2, 1);
    return 1;
}

static int sort(lua_State *L) {
    check_length(L);
    if (lua_isnoneornil(L, 2)) {
        lua_settop(L, 1);
        lua_pushcfunction(L, is_less);
    } else if (lua_iscfunction(L, 2)) {
        lua_settop(L, 2);
        lua_pushcclosure(L, is_less_by_function, 1);
    }
    return repartee_lua_forward(L);
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
    return repartee_lua_forward(L);
}

static int move(lua_State *L) {
    check_range(L, luaL_checkinteger(L, 2), luaL_checkinteger(L, 3));
    return repartee_lua_forward(L);
}

void repartee_lua_open_tables(lua_State *L) {
    static const luaL_Reg guarded[] = {
        {"insert", by_length}, {"remove", by_length}, {"sort", sort}, {"concat", concat}, {"move", move},
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
