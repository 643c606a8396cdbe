// What scripts find in a table that is not its own, because of its metatable.
//
// Whatever reads a table as JSON takes only what stands in the table itself, so it asks here what it would drop.
// Metatables are looked at past `__metatable`, by which a script would get round it. Those of the engine are marked
// under an address, which no script has; they refuse what is asked of a table, or give it methods.

#include <string.h>

#include "bridge.h"

static const char key_engine;

// So many members are looked at in all; a class with more counts as one with values.
#define MOST_MEMBERS 1000
// So many classes are made one from another.
#define MOST_CLASSES 50
// Longer names are not told.
#define LONGEST_NAME 100

void repartee_lua_mark_metatable(lua_State *L, int index) {
    index = lua_absindex(L, index);
    lua_pushboolean(L, 1);
    lua_rawsetp(L, index, &key_engine);
}

// Returns whether a table itself has a member under a name.
static int has(lua_State *L, int table, const char *name) {
    lua_pushstring(L, name);
    int result = lua_rawget(L, table) != LUA_TNIL;
    lua_pop(L, 1);
    return result;
}

static int is_marked(lua_State *L, int metatable) {
    int result = lua_rawgetp(L, metatable, &key_engine) != LUA_TNIL;
    lua_pop(L, 1);
    return result;
}

// Returns whether a member belongs to a class and not to what is made of it: a method, an event of metatables, or the
// class that this one is made from.
// stack: name, value → name, value
static int is_of_class(lua_State *L) {
    if (lua_isfunction(L, -1)) {
        return 1;
    }
    if (lua_type(L, -2) == LUA_TSTRING && strncmp(lua_tostring(L, -2), "__", 2) == 0) {
        return 1;
    }
    return lua_istable(L, -1) && has(L, lua_gettop(L), "__index");
}

// Returns whether a class has values that a table does not have itself.
static int gives_values(lua_State *L, int table, int class, int *left) {
    if (repartee_lua_has_document(L, class)) {
        return 1;
    }
    lua_pushnil(L);
    while (lua_next(L, class)) {  // stack: → name, value
        if (--*left < 0) {
            return 1;
        }
        if (!is_of_class(L)) {
            lua_pushvalue(L, -2);
            if (lua_rawget(L, table) == LUA_TNIL) {
                return 1;
            }
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    return 0;
}

static repartee_lua_inheritance inheritance(lua_State *L, int table, int *left) {
    repartee_lua_inheritance result = REPARTEE_LUA_INHERITS_NOTHING;
    int holder = table;
    for (int depth = 0; lua_getmetatable(L, holder); depth++) {
        int metatable = lua_gettop(L);
        if (is_marked(L, metatable)) {
            return result;
        }
        if (depth == MOST_CLASSES || !lua_checkstack(L, 8) || (depth == 0 && has(L, metatable, "__pairs"))) {
            return REPARTEE_LUA_INHERITS_VALUES;
        }
        lua_pushliteral(L, "__index");
        int type = lua_rawget(L, metatable);  // stack: → metatable, class
        if (type == LUA_TNIL) {
            return result;
        }
        holder = lua_gettop(L);
        // What a function answers, nobody can tell.
        if (type != LUA_TTABLE || gives_values(L, table, holder, left)) {
            return REPARTEE_LUA_INHERITS_VALUES;
        }
        result = REPARTEE_LUA_INHERITS_METHODS;
    }
    return result;
}

repartee_lua_inheritance repartee_lua_inherited(lua_State *L, int index) {
    int table = lua_absindex(L, index);
    int top = lua_gettop(L);
    int left = MOST_MEMBERS;
    if (!lua_checkstack(L, 8)) {
        return REPARTEE_LUA_INHERITS_VALUES;
    }
    repartee_lua_inheritance result = inheritance(L, table, &left);
    lua_settop(L, top);
    // A list of a million objects of one class is a million walks. Where the script is to end, nobody reads on.
    if (left < MOST_MEMBERS && repartee_lua_spend(L, MOST_MEMBERS - left)) {
        return REPARTEE_LUA_INHERITS_VALUES;
    }
    return result;
}

// Returns whether what a class has under a name counts: it is a value, or a method where those count, too, and the
// table has nothing itself under that name.
// stack: name, value → name, value
static int is_inherited(lua_State *L, int table, int methods) {
    if (methods ? strncmp(lua_tostring(L, -2), "__", 2) == 0 : is_of_class(L)) {
        return 0;
    }
    lua_pushvalue(L, -2);
    int result = lua_rawget(L, table) == LUA_TNIL;
    lua_pop(L, 1);
    return result;
}

// Finds the first name, by the alphabet, under which a class has what a table does not have itself.
// stack: → name; nothing where there is none
static int find_inherited(lua_State *L, int table, int class, int methods, int *left) {
    lua_pushnil(L);
    int first = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, class)) {  // stack: → first, name, value
        if (--*left < 0) {
            lua_settop(L, first - 1);
            return 0;
        }
        int is_name = lua_type(L, -2) == LUA_TSTRING && lua_rawlen(L, -2) <= LONGEST_NAME;
        if (is_name && is_inherited(L, table, methods)
            && (lua_isnil(L, first) || lua_compare(L, -2, first, LUA_OPLT))) {
            lua_pushvalue(L, -2);
            lua_replace(L, first);
        }
        lua_pop(L, 1);
    }
    if (lua_isnil(L, first)) {
        lua_pop(L, 1);
        return 0;
    }
    return 1;
}

const char *repartee_lua_name_inherited(lua_State *L, int index, int methods) {
    int table = lua_absindex(L, index);
    int top = lua_gettop(L);
    int left = MOST_MEMBERS;
    int holder = table;
    const char *event = "__index";
    int is_found = 0;
    for (int depth = 0; depth <= MOST_CLASSES && lua_checkstack(L, 8) && lua_getmetatable(L, holder); depth++) {
        int metatable = lua_gettop(L);
        if (is_marked(L, metatable)) {
            break;
        }
        if (depth == 0 && has(L, metatable, "__pairs")) {
            event = "__pairs";
            break;
        }
        lua_pushliteral(L, "__index");
        if (lua_rawget(L, metatable) != LUA_TTABLE) {
            break;
        }
        holder = lua_gettop(L);
        is_found = find_inherited(L, table, holder, methods, &left);
        if (is_found) {
            break;
        }
    }
    if (!is_found) {
        lua_pushnil(L);
    }
    lua_replace(L, top + 1);
    lua_settop(L, top + 1);
    return event;
}
