// Tables that keep a document, and get the members that it stands for when a script asks for one of them: a text, or a
// table that nobody has looked at yet.
//
// The document lies under an address, which no script has, in the table itself. Whatever looks into a table past its
// metatable asks here first, so that scripts cannot tell such a table from one that was filled at once.

#include "bridge.h"

static const char key_document;

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

void repartee_lua_complete(lua_State *L) {
    if (lua_istable(L, 1) && repartee_lua_has_document(L, 1)) {
        lua_pop(L, repartee_lua_enter(L, REPARTEE_LUA_SLOT_DOCUMENT));
    }
}
