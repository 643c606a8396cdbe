// The sandbox: what a script finds among its globals.
//
// Everything is on an allow list. Left out on purpose: io, package, dofile, loadfile, warn, string.dump, debug except
// traceback, os except the host's clocks, collectgarbage except "count", loading of binary chunks, and `__gc` of
// tables: Lua runs finalizers with its hooks switched off, so one that does not end could not be stopped.

#include <string.h>

#include "bridge.h"

// Moves named members of the table on top of the stack into a new table, which replaces it.
// stack: source → copy
static void keep(lua_State *L, const char *const *names) {
    lua_newtable(L);
    for (; *names != NULL; names++) {
        lua_getfield(L, -2, *names);
        lua_setfield(L, -2, *names);
    }
    lua_remove(L, -2);
}

// Opens a stock library and adds the allowed part of it to the globals.
// stack: globals → globals
static void add_library(lua_State *L, const char *name, lua_CFunction open, const char *const *names) {
    luaL_requiref(L, name, open, 0);
    keep(L, names);
    lua_setfield(L, -2, name);
}

// --- Replacements ---

static int base_setmetatable(lua_State *L) {
    int type = lua_type(L, 2);
    luaL_argexpected(L, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
    luaL_checktype(L, 1, LUA_TTABLE);
    // A table that keeps a packed object has a metatable of the engine's until it has its members.
    repartee_lua_complete(L, 1);
    repartee_lua_complete(L, 2);
    // The globals give up being lazy, so that the script's metatable is the only one they have.
    repartee_lua_complete_environment(L, 1);
    if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) {
        return luaL_error(L, "cannot change a protected metatable");
    }
    if (type == LUA_TTABLE) {
        lua_pushliteral(L, "__gc");
        if (lua_rawget(L, 2) != LUA_TNIL) {
            return luaL_error(L, "'__gc' is not available to scripts; use a variable with <close>");
        }
    }
    lua_settop(L, 2);
    lua_setmetatable(L, 1);
    return 1;
}

static int base_getmetatable(lua_State *L) {
    luaL_checkany(L, 1);
    lua_settop(L, 1);
    repartee_lua_complete(L, 1);
    if (!lua_getmetatable(L, 1)) {
        lua_pushnil(L);
        return 1;
    }
    luaL_getmetafield(L, 1, "__metatable");
    return 1;
}

static int base_rawset(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checkany(L, 2);
    luaL_checkany(L, 3);
    lua_settop(L, 3);
    // What a script takes out of a table must not be found again in its document.
    repartee_lua_complete(L, 1);
    lua_rawset(L, 1);
    return 1;
}

// Looks at a field past metatables; what an environment is offered counts as its own.
static int base_rawget(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checkany(L, 2);
    lua_settop(L, 2);
    repartee_lua_complete(L, 1);
    repartee_lua_look_up(L);
    return 1;
}

void repartee_lua_check_elements(lua_State *L) {
    if (lua_type(L, 1) != LUA_TTABLE) {
        if (luaL_getmetafield(L, 1, "__index") == LUA_TNIL) {
            luaL_typeerror(L, 1, "table");
        }
        lua_pop(L, 1);
    }
}

// Upvalue 1 is the stock function.
static int base_ipairs(lua_State *L) {
    repartee_lua_check_elements(L);
    return repartee_lua_forward(L);
}

static int base_collectgarbage(lua_State *L) {
    const char *option = luaL_optstring(L, 1, "count");
    if (strcmp(option, "count") != 0) {
        return luaL_error(L, "collectgarbage(\"%s\") is not available to scripts; only \"count\" is", option);
    }
    lua_pushnumber(L, (lua_Number)host_of(L)->used / 1024);
    return 1;
}

// Reads the pieces of a chunk that `load` gets from a function; the current one stays at index 5.
static const char *read_pieces(lua_State *L, void *data, size_t *size) {
    (void)data;
    luaL_checkstack(L, 2, "too many nested functions");
    lua_pushvalue(L, 1);
    lua_call(L, 0, 1);
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        *size = 0;
        return NULL;
    }
    if (!lua_isstring(L, -1)) {
        luaL_error(L, "reader function must return a string");
    }
    lua_replace(L, 5);
    return lua_tolstring(L, 5, size);
}

// Upvalue 1 is the environment of the script that owns this copy.
int repartee_lua_load_text(lua_State *L) {
    size_t size;
    const char *text = lua_tolstring(L, 1, &size);
    const char *name = luaL_optstring(L, 2, text != NULL ? text : "(load)");
    const char *mode = luaL_optstring(L, 3, "t");
    int has_environment = !lua_isnone(L, 4);
    luaL_argcheck(L, strchr(mode, 't') != NULL, 3, "only text chunks can be loaded");
    lua_settop(L, 5);
    // Names of the engine's own chunks start with "=" or "@repartee:"; a script must not pass for one.
    if (name[0] == '=' || strncmp(name, "@repartee:", 10) == 0) {
        name = lua_pushfstring(L, "@%s", name + 1 + (name[0] == '@'));
    }
    int status;
    if (text != NULL) {
        repartee_lua_charge(L, (int64_t)size / 16);
        status = luaL_loadbufferx(L, text, size, name, "t");
    } else {
        luaL_checktype(L, 1, LUA_TFUNCTION);
        status = lua_load(L, read_pieces, NULL, name, "t");
    }
    if (status != LUA_OK) {
        if (host_of(L)->killed) {
            return repartee_lua_stop(L);
        }
        if (repartee_lua_is_final(L, -1)) {
            return lua_error(L);
        }
        repartee_lua_fix_error(L, status);
        lua_pushnil(L);
        lua_insert(L, -2);  // stack: error → nil, error
        return 2;
    }
    lua_pushvalue(L, has_environment ? 4 : lua_upvalueindex(1));
    if (lua_setupvalue(L, -2, 1) == NULL) {
        lua_pop(L, 1);
    }
    return 1;
}

static int finish_require(lua_State *L) {
    // The module's own result, true where it returned none, is kept under its name.
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        lua_pushboolean(L, 1);
    }
    lua_pushvalue(L, 1);
    lua_pushvalue(L, -2);
    lua_settable(L, lua_upvalueindex(2));
    return 1;
}

// Returns whether a call of this `require` for the same module has not returned yet.
static int is_being_loaded(lua_State *L) {
    lua_Debug record, own;
    lua_getstack(L, 0, &own);
    lua_getinfo(L, "f", &own);  // stack: → require
    int result = 0;
    for (int level = 1; !result && lua_getstack(L, level, &record); level++) {
        lua_getinfo(L, "f", &record);
        if (lua_rawequal(L, -1, -2) && lua_getlocal(L, &record, 1) != NULL) {
            result = lua_rawequal(L, -1, 1);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return result;
}

// Where the stack of a `require` has the text of a module, its chunk name, and then its function.
enum { MODULE_TEXT = 2, MODULE_NAME, MODULE_CODE };

// Of so many modules the state keeps what they were loaded as; there are as many as a project has files.
#define MOST_KEPT_MODULES 64

// Puts the function of the module on top whose text and name are there. One that was loaded from the same text
// is taken again: each of the thousands of users of a load test requires the same modules. Nobody else has it while it
// runs, for its globals are those of one environment.
static void take_code(lua_State *L) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_modules);  // stack: → kept
    lua_pushvalue(L, MODULE_NAME);
    if (lua_rawget(L, -2) == LUA_TTABLE && lua_rawgeti(L, -1, 1) != LUA_TNIL && lua_rawequal(L, -1, MODULE_TEXT)
        && lua_rawgeti(L, -2, 2) == LUA_TFUNCTION) {
        lua_pushnil(L);
        lua_rawseti(L, -4, 2);
    } else {
        size_t size;
        const char *bytes = lua_tolstring(L, MODULE_TEXT, &size);
        int status = luaL_loadbufferx(L, bytes, size, lua_tostring(L, MODULE_NAME), "t");
        if (status != LUA_OK) {
            repartee_lua_fix_error(L, status);
            lua_error(L);
        }
    }
    lua_replace(L, MODULE_CODE);
    lua_settop(L, MODULE_CODE);
}

// Keeps the function of the module that has run, for whoever requires it next.
static void keep_code(lua_State *L) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_modules);  // stack: → kept
    lua_pushvalue(L, MODULE_NAME);
    if (lua_rawget(L, -2) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_rawgeti(L, -1, 1);
        lua_Integer count = lua_tointeger(L, -1);
        lua_pop(L, 1);
        if (count == MOST_KEPT_MODULES) {
            lua_pop(L, 1);
            return;
        }
        lua_pushinteger(L, count + 1);
        lua_rawseti(L, -2, 1);
        lua_createtable(L, 2, 0);
        lua_pushvalue(L, MODULE_NAME);
        lua_pushvalue(L, -2);
        lua_rawset(L, -4);
    }
    lua_pushvalue(L, MODULE_TEXT);
    lua_rawseti(L, -2, 1);
    lua_pushvalue(L, MODULE_CODE);
    lua_rawseti(L, -2, 2);
    lua_pop(L, 2);
}

// Upvalue 1 is the environment, 2 the modules it has loaded; a module that has started to load is marked by
// false, and stays so if it failed.
int repartee_lua_require(lua_State *L) {
    luaL_checkstring(L, 1);
    lua_settop(L, 1);
    lua_pushvalue(L, 1);
    lua_gettable(L, lua_upvalueindex(2));
    if (lua_toboolean(L, -1)) {
        return 1;
    }
    if (lua_isboolean(L, -1) && is_being_loaded(L)) {
        return luaL_error(L, "module '%s' requires itself, directly or through another module", lua_tostring(L, 1));
    }
    lua_settop(L, 1);
    // The host answers with one value (the module itself) or with a text and its chunk name.
    int count = repartee_lua_enter(L, REPARTEE_LUA_SLOT_REQUIRE);
    if (count == 1) {
        return finish_require(L);
    }
    take_code(L);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_cell);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_call(L, 1, 1);
    lua_upvaluejoin(L, MODULE_CODE, 1, -1, 1);
    lua_settop(L, MODULE_CODE);
    lua_pushvalue(L, 1);
    lua_pushboolean(L, 0);
    lua_settable(L, lua_upvalueindex(2));
    lua_pushvalue(L, MODULE_CODE);
    lua_pushvalue(L, 1);  // stack: function → function, name
    // Not protected, so that the call stack of an error reaches into the module.
    lua_call(L, 1, 1);
    keep_code(L);
    return finish_require(L);
}

void repartee_lua_open_sandbox(lua_State *L) {
    static const char *const globals[] = {
        "assert", "error", "ipairs", "rawequal", "rawlen", "select", "tonumber", "type", "_VERSION", NULL,
    };
    static const char *const strings[] = {
        "byte", "char", "len", "lower", "pack", "packsize", "reverse", "sub", "unpack", "upper", NULL,
    };
    static const char *const tables[] = {"concat", "insert", "move", "pack", "remove", "sort", "unpack", NULL};
    static const char *const numbers[] = {
        "abs",  "acos", "asin",       "atan", "ceil",       "cos", "deg",  "exp", "floor",     "fmod", "huge",
        "log",  "max",  "maxinteger", "min",  "mininteger", "modf", "pi",   "rad", "sin",       "sqrt", "tan",
        "tointeger", "type", "ult", NULL,
    };
    static const char *const characters[] = {"char", "charpattern", "codepoint", "codes", "len", "offset", NULL};
    static const char *const coroutines[] = {"status", NULL};
    static const char *const debugging[] = {"traceback", NULL};
    static const luaL_Reg own[] = {
        {"getmetatable", base_getmetatable},
        {"setmetatable", base_setmetatable},
        {"rawget", base_rawget},
        {"rawset", base_rawset},
        {"collectgarbage", base_collectgarbage},
        {NULL, NULL},
    };
    luaL_requiref(L, LUA_GNAME, luaopen_base, 0);
    keep(L, globals);
    lua_pushnil(L);
    while (lua_next(L, -2)) {  // stack: globals, kept → globals
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_settable(L, -5);
    }
    lua_pop(L, 1);
    luaL_setfuncs(L, own, 0);
    lua_getfield(L, -1, "ipairs");
    lua_pushcclosure(L, base_ipairs, 1);
    lua_setfield(L, -2, "ipairs");
    add_library(L, LUA_STRLIBNAME, luaopen_string, strings);
    add_library(L, LUA_TABLIBNAME, luaopen_table, tables);
    add_library(L, LUA_MATHLIBNAME, luaopen_math, numbers);
    add_library(L, LUA_UTF8LIBNAME, luaopen_utf8, characters);
    add_library(L, LUA_COLIBNAME, luaopen_coroutine, coroutines);
    add_library(L, LUA_DBLIBNAME, luaopen_debug, debugging);
}
