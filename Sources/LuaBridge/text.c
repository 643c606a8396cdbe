// Values as text, without addresses: an object's text is its type and the number of objects printed before it.

#include <string.h>

#include "bridge.h"

// Pushes the number of the object at an index, the same at each call.
// stack: → number
static void push_number(lua_State *L, int index) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &repartee_lua_key_numbers);  // stack: → numbers
    lua_pushvalue(L, index);
    if (lua_rawget(L, -2) == LUA_TNIL) {
        lua_pop(L, 1);
        lua_pushinteger(L, ++host_of(L)->last_number);
        lua_pushvalue(L, index);
        lua_pushvalue(L, -2);
        lua_rawset(L, -4);  // stack: numbers, number, object, number → numbers, number
    }
    lua_remove(L, -2);
}

void repartee_lua_text(lua_State *L, int index) {
    index = lua_absindex(L, index);
    if (luaL_callmeta(L, index, "__tostring")) {
        if (!lua_isstring(L, -1)) {
            luaL_error(L, "'__tostring' must return a string");
        }
        return;
    }
    if (repartee_lua_is_null(L, index)) {
        lua_pushliteral(L, "null");
        return;
    }
    switch (lua_type(L, index)) {
        case LUA_TNIL:
        case LUA_TBOOLEAN:
        case LUA_TNUMBER:
        case LUA_TSTRING:
            luaL_tolstring(L, index, NULL);
            return;
    }
    const char *type = luaL_typename(L, index);
    int named = luaL_getmetafield(L, index, "__name");  // stack: → name?
    if (named == LUA_TNIL) {
        lua_pushstring(L, type);
    } else if (named != LUA_TSTRING) {
        lua_pop(L, 1);
        lua_pushstring(L, type);
    }
    push_number(L, index);
    lua_pushfstring(L, "%s: %I", lua_tostring(L, -2), (LUAI_UACINT)lua_tointeger(L, -1));
    lua_replace(L, -3);
    lua_pop(L, 1);  // stack: name, number → text
}

static int base_tostring(lua_State *L) {
    luaL_checkany(L, 1);
    repartee_lua_text(L, 1);
    return 1;
}

// Upvalue 1 is the stock function. Its arguments for %s and %p are replaced by texts, and %p by %s.
static int string_format(lua_State *L) {
    size_t size;
    const char *format = luaL_checklstring(L, 1, &size);
    const char *end = format + size;
    int argument = 1, count = lua_gettop(L);
    luaL_Buffer rewritten;
    int has_pointers = memchr(format, 'p', size) != NULL;
    luaL_checkstack(L, 8, "too many arguments");
    repartee_lua_charge(L, (int64_t)(size / 16));
    // First the arguments, then the format: a buffer on the stack must not be disturbed.
    for (const char *at = format; at < end; at++) {
        if (*at != '%') {
            continue;
        }
        at++;
        if (at < end && *at == '%') {
            continue;
        }
        while (at < end && *at != 0 && strchr("-+ #0123456789.", *at) != NULL) {
            at++;
        }
        argument++;
        if (at >= end || argument > count) {
            break;
        }
        if (*at == 's' && lua_type(L, argument) != LUA_TSTRING) {
            repartee_lua_text(L, argument);
            lua_replace(L, argument);
        } else if (*at == 'p') {
            push_number(L, argument);
            lua_pushfstring(L, "#%I", (LUAI_UACINT)lua_tointeger(L, -1));
            lua_replace(L, argument);
            lua_pop(L, 1);
        }
    }
    if (has_pointers) {
        luaL_buffinit(L, &rewritten);
        int in_item = 0;
        for (const char *at = format; at < end; at++) {
            char byte = *at;
            if (in_item) {
                if (byte == 'p') {
                    byte = 's';
                }
                in_item = byte != 0 && strchr("-+ #0123456789.", byte) != NULL;
            } else {
                in_item = byte == '%';
            }
            luaL_addchar(&rewritten, byte);
        }
        luaL_pushresult(&rewritten);
        lua_replace(L, 1);
    }
    return repartee_lua_forward(L);
}

static int string_rep(lua_State *L) {
    size_t size, separator;
    luaL_checklstring(L, 1, &size);
    lua_Integer count = luaL_checkinteger(L, 2);
    luaL_optlstring(L, 3, "", &separator);
    size_t limit = host_of(L)->string_limit;
    size_t each = size + separator;
    if (count > 0 && each > 0 && (lua_Unsigned)count > limit / each) {
        return luaL_error(L, "the result of string.rep would be longer than %I bytes", (LUAI_UACINT)limit);
    }
    if (count > 0 && each == 0) {
        lua_pushliteral(L, "");
        return 1;
    }
    if (count > 0) {
        repartee_lua_charge(L, (int64_t)(each * (size_t)count / 64));
    }
    return repartee_lua_forward(L);
}

void repartee_lua_open_text(lua_State *L) {
    lua_pushcfunction(L, base_tostring);
    lua_setfield(L, -2, "tostring");
    luaL_requiref(L, LUA_STRLIBNAME, luaopen_string, 0);
    lua_getfield(L, -2, LUA_STRLIBNAME);  // stack: globals → globals, stock, string
    lua_getfield(L, -2, "format");
    lua_pushcclosure(L, string_format, 1);
    lua_setfield(L, -2, "format");
    lua_getfield(L, -2, "rep");
    lua_pushcclosure(L, string_rep, 1);
    lua_setfield(L, -2, "rep");
    lua_pop(L, 2);
}
