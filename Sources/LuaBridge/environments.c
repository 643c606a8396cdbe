// The globals of one script among many in a state.
//
// What all scripts start from, libraries and functions of the engine alike, stands once in the state. An environment is
// an empty table that takes from it what its script asks for: functions as they are, tables as copies of its own, so
// that nothing one script does to them is seen by another. A script that only sends messages thus costs a few hundred
// bytes where copying everything ahead would cost ten thousand.

#include <string.h>

#include "bridge.h"

#define MOST_SHARED 256
#define DEEPEST_COPY 8

// What an environment keeps about itself, in a field that scripts cannot name. Its user value is the set of the names
// that the script has assigned, or nil before the first: these are defined, also while they are nil.
typedef struct {
    uint64_t seed;
    // Which of the shared globals it has taken, or has replaced by its own; those are never offered again.
    uint64_t taken[MOST_SHARED / 64];
} own_part;

static own_part *own_part_of(lua_State *L, int index) {
    lua_rawgetp(L, index, &repartee_lua_key_own);
    own_part *own = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return own;
}

// Returns whether a shared global is still on offer, and takes it off the offer.
// stack: (unchanged)
static int take(lua_State *L, own_part *own, int key) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_shared_numbers);
    lua_pushvalue(L, key);
    lua_rawget(L, -2);  // stack: → numbers, number | nil
    int is_number;
    lua_Integer number = lua_tointegerx(L, -1, &is_number);
    lua_pop(L, 2);
    if (own == NULL || !is_number) {
        return 0;
    }
    uint64_t bit = UINT64_C(1) << (number & 63);
    int is_offered = (own->taken[number >> 6] & bit) == 0;
    own->taken[number >> 6] |= bit;
    return is_offered;
}

// stack: source → copy
static void copy_table(lua_State *L, int depth) {
    luaL_checkstack(L, 6, "tables of the engine are nested too deeply");
    lua_createtable(L, 0, 8);
    lua_pushnil(L);
    while (lua_next(L, -3)) {  // stack: source, copy, key, value → source, copy, key
        if (lua_istable(L, -1) && depth < DEEPEST_COPY) {
            copy_table(L, depth + 1);
        }
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -4);
    }
    // What is within a library answers in the copy as it does in the engine's; the library itself gets a guard.
    if (depth > 0 && lua_getmetatable(L, -2)) {
        lua_setmetatable(L, -2);
    }
    lua_remove(L, -2);
}

// Appends the name on top of the stack, if it is one, to a list.
// stack: name →
static void append_name(lua_State *L, int list) {
    if (lua_type(L, -1) == LUA_TSTRING) {
        lua_rawseti(L, list, (lua_Integer)lua_rawlen(L, list) + 1);
    } else {
        lua_pop(L, 1);
    }
}

// Appends the names that a table has, in no order.
static void append_keys(lua_State *L, int table, int list) {
    lua_pushnil(L);
    while (lua_next(L, table)) {
        lua_pop(L, 1);
        lua_pushvalue(L, -1);
        append_name(L, list);
    }
}

// __index of a library, whose name is upvalue 1: what it does not have is a mistake as an undefined global is.
static int undefined_member(lua_State *L) {
    lua_settop(L, 2);
    if (lua_type(L, 2) != LUA_TSTRING) {
        lua_pushnil(L);
        return 1;
    }
    luaL_checkstack(L, 8, "calls nest too deeply");
    lua_newtable(L);  // stack: library, name → library, name, names
    append_keys(L, 1, 3);
    lua_replace(L, 1);
    lua_pushvalue(L, lua_upvalueindex(1));  // stack: → names, name, library's name
    return repartee_lua_enter(L, REPARTEE_LUA_SLOT_UNDEFINED);
}

// __index of a table of named members; upvalue 1 is the set of the names that it may have, upvalue 2 what it is, and
// upvalue 3 whether it can have no others.
static int absent_member(lua_State *L) {
    lua_settop(L, 2);
    if (repartee_lua_has_document(L, 1) && repartee_lua_enter(L, REPARTEE_LUA_SLOT_DOCUMENT) == 1) {
        return 1;
    }
    lua_settop(L, 2);
    if (!host_of(L)->is_strict || lua_type(L, 2) != LUA_TSTRING) {
        lua_pushnil(L);
        return 1;
    }
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) {
        // It may be there and is not.
        lua_pushnil(L);
        return 1;
    }
    lua_settop(L, 2);
    luaL_checkstack(L, 8, "calls nest too deeply");
    lua_newtable(L);  // stack: table, name → table, name, names
    append_keys(L, 1, 3);
    lua_pushvalue(L, lua_upvalueindex(1));
    append_keys(L, 4, 3);
    lua_settop(L, 3);
    lua_replace(L, 1);
    lua_pushnil(L);
    lua_pushvalue(L, lua_upvalueindex(2));
    lua_pushvalue(L, lua_upvalueindex(3));  // stack: → names, name, nil, what it is, whether it is closed
    return repartee_lua_enter(L, REPARTEE_LUA_SLOT_UNDEFINED);
}

// Makes a metatable of the engine's own out of its __index; scripts can neither see nor replace it.
// stack: function → metatable
static void make_metatable(lua_State *L) {
    lua_createtable(L, 0, 2);
    lua_insert(L, -2);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    repartee_lua_mark_metatable(L, -1);
}

void repartee_lua_make_member_guard(lua_State *L) {
    lua_pushcclosure(L, absent_member, 3);
    make_metatable(L);
}

// __index of a table whose names are in lower case: finds them by any spelling.
static int lowered_member(lua_State *L) {
    lua_settop(L, 2);
    if (lua_type(L, 2) != LUA_TSTRING) {
        lua_pushnil(L);
        return 1;
    }
    size_t length;
    const char *name = lua_tolstring(L, 2, &length);
    luaL_Buffer buffer;
    char *lowered = luaL_buffinitsize(L, &buffer, length);
    for (size_t place = 0; place < length; place++) {
        char letter = name[place];
        lowered[place] = letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
    }
    luaL_pushresultsize(&buffer, length);
    lua_rawget(L, 1);
    return 1;
}

static const char key_lowered;

void repartee_lua_ignore_case(lua_State *L) {
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &key_lowered) == LUA_TNIL) {
        lua_pop(L, 1);
        lua_pushcfunction(L, lowered_member);
        make_metatable(L);
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &key_lowered);
    }
    lua_setmetatable(L, -2);
}

// Gives an environment's copy of a library the metatable that the copies of all environments share.
// stack: copy → copy
static void guard_members(lua_State *L, int key) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_libraries);
    lua_pushvalue(L, key);
    if (lua_rawget(L, -2) == LUA_TNIL) {  // stack: → copy, metatables, metatable | nil
        lua_pop(L, 1);
        lua_pushvalue(L, key);
        lua_pushcclosure(L, undefined_member, 1);
        make_metatable(L);
        lua_pushvalue(L, key);
        lua_pushvalue(L, -2);
        lua_rawset(L, -4);
    }
    lua_setmetatable(L, -3);
    lua_pop(L, 1);
}

// Pushes what an environment at index 1 gets for the name of a shared global.
// stack: → value
static void make_own(lua_State *L, const own_part *own, int key) {
    const char *name = lua_type(L, key) == LUA_TSTRING ? lua_tostring(L, key) : "";
    if (strcmp(name, LUA_GNAME) == 0) {
        lua_pushvalue(L, 1);
    } else if (strcmp(name, "load") == 0) {
        lua_pushvalue(L, 1);
        lua_pushcclosure(L, repartee_lua_load_text, 1);
    } else if (strcmp(name, "require") == 0) {
        lua_pushvalue(L, 1);
        lua_newtable(L);
        lua_pushcclosure(L, repartee_lua_require, 2);
    } else {
        lua_rawgetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_base);
        lua_pushvalue(L, key);
        lua_rawget(L, -2);
        lua_remove(L, -2);
        if (lua_istable(L, -1)) {
            copy_table(L, 0);
            if (strcmp(name, LUA_MATHLIBNAME) == 0) {
                repartee_lua_open_random(L, own->seed);
            }
            if (host_of(L)->is_strict) {
                guard_members(L, key);
            }
        }
    }
}

void repartee_lua_look_up(lua_State *L) {
    lua_pushvalue(L, 2);
    if (lua_rawget(L, 1) != LUA_TNIL) {
        return;
    }
    own_part *own = own_part_of(L, 1);
    if (own != NULL && take(L, own, 2)) {
        lua_pop(L, 1);
        make_own(L, own, 2);  // stack: → value
        lua_pushvalue(L, 2);
        lua_pushvalue(L, -2);
        lua_rawset(L, 1);
    }
}

// --- Globals that are not defined ---

// Appends the names of the variables that the function can see which reads the global.
static void append_variables(lua_State *L, int list) {
    lua_Debug record;
    if (!lua_getstack(L, 1, &record)) {
        return;
    }
    for (int kind = 0; kind < 2; kind++) {
        int is_local = kind == 0;
        if (!is_local) {
            lua_getinfo(L, "f", &record);  // stack: → function
            if (lua_iscfunction(L, -1)) {
                return;
            }
        }
        int function = lua_gettop(L);
        for (int number = 1;; number++) {
            const char *name =
                is_local ? lua_getlocal(L, &record, number) : lua_getupvalue(L, function, number);
            if (name == NULL) {
                break;
            }
            lua_pop(L, 1);
            if (name[0] != '(') {
                lua_pushstring(L, name);
                append_name(L, list);
            }
        }
    }
}

// Answers for a global at index 2 that an environment at index 1 does not have; index 3 has the names that are defined.
static int undefined(lua_State *L) {
    if (!host_of(L)->is_strict || lua_type(L, 2) != LUA_TSTRING) {
        lua_pushnil(L);
        return 1;
    }
    if (lua_istable(L, 3)) {
        lua_pushvalue(L, 2);
        if (lua_rawget(L, 3) != LUA_TNIL) {
            lua_pushnil(L);
            return 1;
        }
        lua_pop(L, 1);
    }
    luaL_checkstack(L, 8, "calls nest too deeply");
    lua_newtable(L);  // stack: environment, name, defined → …, names
    append_keys(L, 1, 4);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_shared_numbers);
    append_keys(L, 5, 4);
    append_variables(L, 4);
    lua_settop(L, 4);
    lua_replace(L, 1);
    lua_settop(L, 2);  // stack: → names, name
    return repartee_lua_enter(L, REPARTEE_LUA_SLOT_UNDEFINED);
}

// Notes that an environment's script has assigned the name at index 2; the table on top of the stack is the set of
// those, or nil.
// stack: set | nil → set
static void define(lua_State *L) {
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        lua_createtable(L, 0, 1);
    }
    lua_pushvalue(L, 2);
    lua_pushboolean(L, 1);
    lua_rawset(L, -3);
}

// __index: gives an environment what it asks for the first time.
static int lazy_index(lua_State *L) {
    lua_settop(L, 2);
    repartee_lua_look_up(L);
    if (!lua_isnil(L, 3)) {
        return 1;
    }
    lua_settop(L, 2);
    lua_rawgetp(L, 1, &repartee_lua_key_own);
    lua_getiuservalue(L, -1, 1);
    lua_replace(L, 3);  // stack: environment, name → environment, name, defined
    return undefined(L);
}

// __newindex: a script that replaces a global, also by nil, does not get the shared one any more.
static int lazy_newindex(lua_State *L) {
    lua_settop(L, 3);
    take(L, own_part_of(L, 1), 2);
    if (host_of(L)->is_strict) {
        lua_rawgetp(L, 1, &repartee_lua_key_own);
        lua_getiuservalue(L, -1, 1);
        define(L);
        lua_setiuservalue(L, -2, 1);
        lua_settop(L, 3);
    }
    lua_rawset(L, 1);
    return 0;
}

// __index of an environment that has all that is shared; upvalue 1 has the names that are defined.
static int strict_index(lua_State *L) {
    lua_settop(L, 2);
    lua_pushvalue(L, lua_upvalueindex(1));
    return undefined(L);
}

// __newindex of an environment that has all that is shared.
static int strict_newindex(lua_State *L) {
    lua_settop(L, 3);
    lua_pushvalue(L, lua_upvalueindex(1));
    define(L);
    lua_settop(L, 3);
    lua_rawset(L, 1);
    return 0;
}

// Gives an environment that has all that is shared a metatable under which no undefined global can be read.
// stack: environment, defined → environment
static void make_strict(lua_State *L) {
    if (lua_isnil(L, 2)) {
        lua_newtable(L);
        lua_replace(L, 2);
    }
    lua_createtable(L, 0, 4);
    lua_pushvalue(L, 2);
    lua_pushcclosure(L, strict_index, 1);
    lua_setfield(L, -2, "__index");
    lua_pushvalue(L, 2);
    lua_pushcclosure(L, strict_newindex, 1);
    lua_setfield(L, -2, "__newindex");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    repartee_lua_mark_metatable(L, -1);
    lua_pushboolean(L, 1);
    lua_rawsetp(L, -2, &repartee_lua_key_own);
    lua_setmetatable(L, 1);
    lua_settop(L, 1);
}

static int lazy_pairs(lua_State *L) {
    lua_settop(L, 1);
    lua_rawgetp(L, 1, &repartee_lua_key_own);
    lua_getiuservalue(L, -1, 1);
    lua_replace(L, 2);  // stack: environment → environment, defined
    repartee_lua_complete_environment(L, 1);
    if (host_of(L)->is_strict) {
        make_strict(L);
    }
    lua_rawgetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_base);
    lua_getfield(L, -1, "pairs");
    lua_pushvalue(L, 1);
    lua_call(L, 1, 3);
    return 3;
}

static int complete(lua_State *L) {
    own_part *own = own_part_of(L, 1);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_shared_numbers);
    lua_pushnil(L);
    while (lua_next(L, 2)) {  // stack: environment, numbers, key, number → environment, numbers, key
        lua_pop(L, 1);
        if (take(L, own, 3)) {
            lua_pushvalue(L, 3);
            make_own(L, own, 3);
            lua_rawset(L, 1);
        }
    }
    lua_pushnil(L);
    lua_rawsetp(L, 1, &repartee_lua_key_own);
    lua_pushnil(L);
    lua_setmetatable(L, 1);
    return 0;
}

void repartee_lua_complete_environment(lua_State *L, int index) {
    if (own_part_of(L, index) != NULL) {
        lua_pushcfunction(L, complete);
        lua_pushvalue(L, index);
        lua_call(L, 1, 0);
    } else if (lua_getmetatable(L, index)) {
        int is_strict = lua_rawgetp(L, -1, &repartee_lua_key_own) != LUA_TNIL;
        lua_pop(L, 2);
        if (is_strict) {
            lua_pushnil(L);
            lua_setmetatable(L, index);
        }
    }
}

static int make_environment(lua_State *L) {
    uint64_t seed = (uint64_t)lua_tointeger(L, 1);
    lua_createtable(L, 0, 4);
    own_part *own = lua_newuserdatauv(L, sizeof *own, 1);
    memset(own, 0, sizeof *own);
    own->seed = seed;
    lua_rawsetp(L, -2, &repartee_lua_key_own);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_lazy);
    lua_setmetatable(L, -2);
    return 1;
}

int repartee_lua_make_environment(lua_State *L, uint64_t seed) {
    lua_pushcfunction(L, make_environment);
    lua_pushinteger(L, (lua_Integer)seed);
    return repartee_lua_call(L, 1);
}

static int number_shared(lua_State *L) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_shared_numbers);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_base);
    lua_Integer count = 0;
    lua_pushnil(L);
    while (lua_next(L, 1)) {
        lua_pop(L, 1);
        count++;
    }
    lua_pushnil(L);
    while (lua_next(L, 2)) {  // stack: numbers, shared, key, value → numbers, shared, key
        lua_pop(L, 1);
        lua_pushvalue(L, -1);
        if (lua_rawget(L, 1) == LUA_TNIL) {
            if (count == MOST_SHARED) {
                return luaL_error(L, "environments share at most %d globals", MOST_SHARED);
            }
            lua_pushvalue(L, -2);
            lua_pushinteger(L, count++);
            lua_rawset(L, 1);
        }
        lua_pop(L, 1);
    }
    return 0;
}

int repartee_lua_number_shared(lua_State *L) {
    lua_pushcfunction(L, number_shared);
    return repartee_lua_call(L, 0);
}

void repartee_lua_push_shared(lua_State *L) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_base);
}

static int instantiate(lua_State *L) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_cell);
    lua_pushvalue(L, 2);
    lua_call(L, 1, 1);
    lua_upvaluejoin(L, 1, 1, -1, 1);
    return 0;
}

int repartee_lua_instantiate(lua_State *L) {
    lua_pushcfunction(L, instantiate);
    lua_pushvalue(L, -3);
    lua_pushvalue(L, -3);
    return repartee_lua_call(L, 2);
}

void repartee_lua_open_environments(lua_State *L) {
    static const luaL_Reg lazy[] = {
        {"__index", lazy_index}, {"__newindex", lazy_newindex}, {"__pairs", lazy_pairs}, {NULL, NULL},
    };
    luaL_newlib(L, lazy);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    repartee_lua_mark_metatable(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_lazy);

    lua_newtable(L);
    static const char *const of_the_environment[] = {LUA_GNAME, "load", "require"};
    for (lua_Integer number = 0; number < 3; number++) {
        lua_pushinteger(L, number);
        lua_setfield(L, -2, of_the_environment[number]);
    }
    lua_rawsetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_shared_numbers);
    lua_pushcfunction(L, number_shared);
    lua_call(L, 0, 0);

    lua_newtable(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_libraries);

    lua_newtable(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_modules);

    // A function of Lua whose one upvalue is what it was given: where chunks get a globals' cell of their own from.
    if (luaL_loadstring(L, "local environment = ... return function() return environment end") != LUA_OK) {
        lua_error(L);
    }
    lua_rawsetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_cell);
}
