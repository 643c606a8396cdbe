// Tables that keep a document, and get the members that it stands for when a script asks for one of them: a text, a
// table that nobody has looked at yet, or an object in packed form, of which the members that are asked for first are
// read where they lie.
//
// The document lies under an address, which no script has, in the table itself. Whatever looks into a table past its
// metatable asks here first, so that scripts cannot tell such a table from one that was filled at once.

#include <string.h>

#include "bridge.h"

static const char key_document, key_packed;

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
    if (!repartee_lua_has_document(L, table)) {
        return 0;
    }
    table = lua_absindex(L, table);
    lua_rawgetp(L, table, &key_document);
    lua_pushnil(L);
    lua_rawsetp(L, table, &key_document);
    return 1;
}

int repartee_lua_has_document(lua_State *L, int table) {
    // Most tables of scripts have no metatable, and all that keep a document have one.
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
    return lua_type(L, 2) == LUA_TSTRING ? repartee_lua_enter(L, REPARTEE_LUA_SLOT_PACKED) : 0;
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
    lua_createtable(L, 0, 1);
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
