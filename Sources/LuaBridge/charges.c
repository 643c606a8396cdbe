// Stock functions that are paid for by what they work on, because no hook can stop a loop in C.
//
// A function that makes a text pays by what it allocates, which the budget sees by itself. Here are those that only
// look at a long text, or move many values.

#include "bridge.h"

// So many bytes or values are looked at for one instruction; fewer than the least are not worth the account.
#define PER_INSTRUCTION 16
#define LEAST 128

int repartee_lua_forward(lua_State *L) {
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_CFunction stock = lua_tocfunction(L, -1);
    lua_pop(L, 1);
    int count = stock(L);
    repartee_lua_adjust_hook(L);
    return count;
}

static void pay(lua_State *L, lua_Unsigned count) {
    if (count >= LEAST) {
        repartee_lua_charge(L, (int64_t)(count / PER_INSTRUCTION));
    }
}

// tonumber, string.packsize: the first argument is read from its beginning to its end.
static int by_text(lua_State *L) {
    if (lua_type(L, 1) == LUA_TSTRING) {
        pay(L, lua_rawlen(L, 1));
    }
    return repartee_lua_forward(L);
}

// utf8.len: what lies between two places is read.
static int by_window(lua_State *L) {
    lua_Integer length = lua_type(L, 1) == LUA_TSTRING ? (lua_Integer)lua_rawlen(L, 1) : 0;
    lua_Integer first = luaL_optinteger(L, 2, 1), last = luaL_optinteger(L, 3, -1);
    first = first < 0 ? length + first : first;
    last = last < 0 ? length + last : last;
    if (length >= LEAST && first < last) {
        lua_Integer end = last < length ? last : length;
        pay(L, end > first ? (lua_Unsigned)end - (lua_Unsigned)(first > 0 ? first : 0) : 0);
    }
    return repartee_lua_forward(L);
}

// utf8.offset: as many characters are passed over as the second argument says, of at most four bytes each.
static int by_distance(lua_State *L) {
    lua_Unsigned length = lua_type(L, 1) == LUA_TSTRING ? lua_rawlen(L, 1) : 0;
    lua_Integer distance = luaL_optinteger(L, 2, 0);
    lua_Unsigned characters = distance < 0 ? 0 - (lua_Unsigned)distance : (lua_Unsigned)distance;
    pay(L, characters < length ? characters : length);
    return repartee_lua_forward(L);
}

// Functions of any number of arguments.
static int by_arguments(lua_State *L) {
    pay(L, (lua_Unsigned)lua_gettop(L));
    return repartee_lua_forward(L);
}

// Functions of any number of results.
static int by_results(lua_State *L) {
    int count = repartee_lua_forward(L);
    pay(L, (lua_Unsigned)count);
    return count;
}

// table.unpack
static int by_elements(lua_State *L) {
    repartee_lua_check_elements(L);
    return by_results(L);
}

typedef struct {
    const char *library;
    const char *name;
    lua_CFunction charged;
} charge;

void repartee_lua_open_charges(lua_State *L) {
    static const charge functions[] = {
        {NULL, "tonumber", by_text},
        {NULL, "select", by_arguments},
        {LUA_STRLIBNAME, "packsize", by_text},
        {LUA_STRLIBNAME, "byte", by_results},
        {LUA_STRLIBNAME, "char", by_arguments},
        {LUA_UTF8LIBNAME, "len", by_window},
        {LUA_UTF8LIBNAME, "offset", by_distance},
        {LUA_UTF8LIBNAME, "codepoint", by_results},
        {LUA_UTF8LIBNAME, "char", by_arguments},
        {LUA_TABLIBNAME, "pack", by_arguments},
        {LUA_TABLIBNAME, "unpack", by_elements},
        {LUA_MATHLIBNAME, "max", by_arguments},
        {LUA_MATHLIBNAME, "min", by_arguments},
    };
    for (size_t place = 0; place < sizeof functions / sizeof *functions; place++) {
        const charge *entry = &functions[place];
        if (entry->library != NULL) {
            lua_getfield(L, -1, entry->library);
        } else {
            lua_pushvalue(L, -1);
        }
        lua_getfield(L, -1, entry->name);
        lua_pushcclosure(L, entry->charged, 1);  // stack: library, stock → library, charged
        lua_setfield(L, -2, entry->name);
        lua_pop(L, 1);
    }
}
