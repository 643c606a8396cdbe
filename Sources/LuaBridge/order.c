// Traversal in an order that does not depend on addresses or hash seeds: numbers ascending, strings by their bytes,
// false, true, then everything else as Lua finds it.

#include <stdlib.h>
#include <string.h>

#include "bridge.h"

// Up to this many keys are sorted without memory of their own.
#define FEW_KEYS 32

enum { RANK_NUMBER, RANK_STRING, RANK_BOOLEAN, RANK_OTHER };

typedef struct {
    int rank;
    int is_integer;
    lua_Integer integer;  // also: the truth of a boolean, the position of another key
    lua_Number number;
    const char *bytes;
    size_t count;
    lua_Integer position;
} key;

// Describes the key at an index; text is valid as long as the key is reachable.
static key describe(lua_State *L, int index, lua_Integer position) {
    key result;
    memset(&result, 0, sizeof result);
    result.position = position;
    switch (lua_type(L, index)) {
        case LUA_TNUMBER:
            result.rank = RANK_NUMBER;
            result.is_integer = lua_isinteger(L, index);
            result.integer = result.is_integer ? lua_tointeger(L, index) : 0;
            result.number = lua_tonumber(L, index);
            break;
        case LUA_TSTRING:
            result.rank = RANK_STRING;
            result.bytes = lua_tolstring(L, index, &result.count);
            break;
        case LUA_TBOOLEAN:
            result.rank = RANK_BOOLEAN;
            result.integer = lua_toboolean(L, index);
            break;
        default:
            result.rank = RANK_OTHER;
            result.integer = position;
    }
    return result;
}

static int compare(const void *left, const void *right) {
    const key *a = left, *b = right;
    if (a->rank != b->rank) {
        return a->rank < b->rank ? -1 : 1;
    }
    if (a->rank == RANK_STRING) {
        size_t shorter = a->count < b->count ? a->count : b->count;
        int order = memcmp(a->bytes, b->bytes, shorter);
        return order != 0 ? order : (a->count > b->count) - (a->count < b->count);
    }
    if (a->rank == RANK_NUMBER && !(a->is_integer && b->is_integer)) {
        return (a->number > b->number) - (a->number < b->number);
    }
    return (a->integer > b->integer) - (a->integer < b->integer);
}

// Upvalues: keys in order, position. The control value is not looked at.
// stack: table, control → key, value
static int step(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Integer position = lua_tointeger(L, lua_upvalueindex(2));
    for (;;) {
        position++;
        if (lua_rawgeti(L, lua_upvalueindex(1), position) == LUA_TNIL) {
            return 1;
        }
        lua_pushvalue(L, -1);
        if (lua_rawget(L, 1) != LUA_TNIL) {
            break;
        }
        lua_pop(L, 2);
    }
    lua_pushinteger(L, position);
    lua_replace(L, lua_upvalueindex(2));
    return 2;
}

// Pushes the keys of the table at index 1 in order.
// stack: → keys
static void push_keys(lua_State *L) {
    lua_Integer count = 0;
    key few[FEW_KEYS];
    key *keys = few;
    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
        count++;
    }
    repartee_lua_charge(L, count);
    lua_createtable(L, count > INT32_MAX ? 0 : (int)count, 0);  // stack: → found
    if (count > FEW_KEYS) {
        keys = lua_newuserdatauv(L, (size_t)count * sizeof(key), 0);
        lua_insert(L, -2);  // stack: found → memory, found
    }
    lua_Integer position = 0;
    int is_sorted = 1;
    lua_pushnil(L);
    while (lua_next(L, 1)) {
        lua_pop(L, 1);
        keys[position] = describe(L, -1, position + 1);
        is_sorted = is_sorted && (position == 0 || compare(&keys[position - 1], &keys[position]) < 0);
        position++;
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, position);
    }
    if (is_sorted) {
        return;
    }
    qsort(keys, (size_t)count, sizeof(key), compare);
    lua_createtable(L, (int)count, 0);  // stack: found → found, keys
    for (position = 0; position < count; position++) {
        lua_rawgeti(L, -2, keys[position].position);
        lua_rawseti(L, -2, position + 1);
    }
}

static int finish_pairs(lua_State *L, int status, lua_KContext context) {
    (void)L;
    (void)status;
    (void)context;
    return 3;
}

int repartee_lua_pairs(lua_State *L) {
    luaL_checkany(L, 1);
    if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
        lua_pushvalue(L, 1);
        lua_callk(L, 1, 3, 0, finish_pairs);
        return 3;
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    repartee_lua_complete(L, 1);
    push_keys(L);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, step, 2);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

// The successor of a key is found by a walk over the whole table, as a function without memory must.
static int ordered_next(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 2);
    repartee_lua_complete(L, 1);
    int has_start = !lua_isnil(L, 2);
    int is_found = 0;
    key start = describe(L, 2, 0), best;
    lua_Integer position = 0;
    if (has_start && start.rank == RANK_OTHER) {
        start.integer = LUA_MAXINTEGER;
        for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
            position++;
            if (lua_rawequal(L, -2, 2)) {
                start.integer = position;
            }
        }
    }
    position = 0;
    lua_pushnil(L);
    lua_pushnil(L);  // stack: table, start → table, start, best, nil
    while (lua_next(L, 1)) {
        lua_pop(L, 1);
        key candidate = describe(L, -1, ++position);
        if ((!has_start || compare(&candidate, &start) > 0) && (!is_found || compare(&candidate, &best) < 0)) {
            best = candidate;
            is_found = 1;
            lua_copy(L, -1, 3);
        }
    }
    repartee_lua_charge(L, position / 4);
    if (!is_found) {
        lua_pushnil(L);
        return 1;
    }
    lua_pushvalue(L, 3);
    lua_pushvalue(L, 3);
    lua_rawget(L, 1);
    return 2;
}

void repartee_lua_open_order(lua_State *L) {
    lua_pushcfunction(L, repartee_lua_pairs);
    lua_setfield(L, -2, "pairs");
    lua_pushcfunction(L, ordered_next);
    lua_setfield(L, -2, "next");
}
