// Tables that keep a document, and get the members that it stands for when a script asks for one of them: a text, a
// table that nobody has looked at yet, or an object in packed form, of which the members that are asked for first are
// read where they lie.
//
// The document lies under an address, which no script has, in the table itself. Whatever looks into a table past its
// metatable asks here first, so that scripts cannot tell such a table from one that was filled at once.

#include <string.h>

#include "bridge.h"

static const char key_document, key_packed;

// So many members are read where they lie; a script that asks for more will want all of them.
#define MOST_READS 3

void repartee_lua_set_document(lua_State *L) {
    lua_pushvalue(L, -1);
    lua_rawsetp(L, -4, &key_document);
    lua_rawset(L, -3);
}

void repartee_lua_seal(lua_State *L) {
    lua_newtable(L);
    lua_insert(L, -2);
    lua_rawsetp(L, -2, &key_document);
}

int repartee_lua_take_document(lua_State *L, int table) {
    // Most tables of scripts have no metatable, and all that keep a document have one.
    if (!lua_getmetatable(L, table)) {
        return 0;
    }
    lua_pop(L, 1);
    table = lua_absindex(L, table);
    if (lua_rawgetp(L, table, &key_document) == LUA_TNIL) {
        lua_pop(L, 1);
        return 0;
    }
    lua_pushnil(L);
    lua_rawsetp(L, table, &key_document);
    return 1;
}

int repartee_lua_has_document(lua_State *L, int table) {
    if (!lua_getmetatable(L, table)) {
        return 0;
    }
    lua_pop(L, 1);
    int result = lua_rawgetp(L, table, &key_document) != LUA_TNIL;
    lua_pop(L, 1);
    return result;
}

// __index of a table whose document is a packed object.
static int packed_member(lua_State *L) {
    lua_settop(L, 2);
    // An object has no other members than those with a name.
    if (lua_type(L, 2) != LUA_TSTRING) {
        return 0;
    }
    lua_rawgetp(L, 1, &key_document);
    repartee_lua_packed *object = lua_touserdata(L, 3);
    if (object != NULL && object->reads < MOST_READS) {
        object->reads++;
        size_t length;
        const char *name = lua_tolstring(L, 2, &length);
        repartee_lua_found found = host_of(L)->find(object, name, length);
        switch (found.kind) {
            case REPARTEE_LUA_ABSENT: return 0;
            case REPARTEE_LUA_NULL: repartee_lua_push_null(L); return 1;
            case REPARTEE_LUA_BOOLEAN: lua_pushboolean(L, found.value.integer != 0); return 1;
            case REPARTEE_LUA_INTEGER: lua_pushinteger(L, found.value.integer); return 1;
            case REPARTEE_LUA_NUMBER: lua_pushnumber(L, found.value.number); return 1;
            case REPARTEE_LUA_TEXT: lua_pushlstring(L, found.value.text, found.length); return 1;
            // Each look at a member that is a table finds the same table.
            case REPARTEE_LUA_PARTS: break;
        }
    }
    lua_settop(L, 2);
    return repartee_lua_enter(L, REPARTEE_LUA_SLOT_DOCUMENT);
}

// __newindex of such a table: what a script takes out of it must not be found again in its document.
static int assign_to_packed(lua_State *L) {
    lua_settop(L, 3);
    repartee_lua_complete(L, 1);
    // Lua says the same, but of an assignment in C it does not say where it stands.
    if (lua_isnil(L, 2)) {
        return luaL_error(L, "table index is nil");
    }
    if (lua_type(L, 2) == LUA_TNUMBER && lua_tonumber(L, 2) != lua_tonumber(L, 2)) {
        return luaL_error(L, "table index is NaN");
    }
    lua_rawset(L, 1);
    return 0;
}

void repartee_lua_push_packed(lua_State *L, const repartee_lua_packed *head, const void *bytes) {
    // With room for the members that it may get.
    lua_createtable(L, 0, (int)head->members + 1);
    repartee_lua_packed *packed = lua_newuserdatauv(L, sizeof *packed + head->count, 0);
    *packed = *head;
    memcpy(packed + 1, bytes, head->count);
    lua_rawsetp(L, -2, &key_document);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &key_packed);
    lua_setmetatable(L, -2);
}

repartee_lua_packed *repartee_lua_to_packed(lua_State *L, int table) {
    if (!lua_getmetatable(L, table)) {
        return NULL;
    }
    lua_pop(L, 1);
    int type = lua_rawgetp(L, table, &key_document);
    void *result = type == LUA_TUSERDATA ? lua_touserdata(L, -1) : NULL;
    lua_pop(L, 1);
    return result;
}

repartee_lua_packed *repartee_lua_taken_packed(lua_State *L) {
    return lua_type(L, -1) == LUA_TUSERDATA ? lua_touserdata(L, -1) : NULL;
}

void repartee_lua_open_documents(lua_State *L) {
    lua_createtable(L, 0, 3);
    lua_pushcfunction(L, packed_member);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, assign_to_packed);
    lua_setfield(L, -2, "__newindex");
    repartee_lua_mark_metatable(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &key_packed);
}

static int complete(lua_State *L) {
    lua_pop(L, repartee_lua_enter(L, REPARTEE_LUA_SLOT_DOCUMENT));
    return 0;
}

void repartee_lua_complete(lua_State *L, int index) {
    if (lua_istable(L, index) && repartee_lua_has_document(L, index)) {
        // A call of its own, for the host takes all values of a function for its arguments.
        lua_pushvalue(L, index);
        lua_pushcfunction(L, complete);
        lua_insert(L, -2);
        lua_call(L, 1, 0);
    }
}
