// string.find, match, gmatch and gsub with a matcher that counts its steps.
//
// The stock matcher backtracks in C, where no hook can stop it: "a*a*a*a*a*b" on some hundred letters runs for hours.
// This one does the same for the same patterns (reference manual, section 6.4.1), but takes its steps off the
// instruction budget, and has a limit of its own where nothing is counted.

#define _GNU_SOURCE 1

#include <ctype.h>
#include <string.h>

#include "bridge.h"

#define MOST_CAPTURES 32
#define MOST_DEPTH 200
// Steps after which one call is given up, whether or not instructions are counted; longer texts get more.
#define MOST_STEPS ((int64_t)20000000)
#define MOST_STEPS_PER_BYTE 64
// How many steps are taken off the budget at once.
#define STEP_BATCH 1024

#define LENGTH_OPEN ((ptrdiff_t)-1)
#define LENGTH_POSITION ((ptrdiff_t)-2)

typedef struct {
    lua_State *L;
    const char *text;
    const char *text_end;
    const char *pattern_end;
    int64_t steps;
    int64_t charged_steps;
    int64_t most_steps;
    int depth;
    int count;
    struct {
        const char *start;
        ptrdiff_t length;
    } captures[MOST_CAPTURES];
} matcher;

static const char *match(matcher *m, const char *at, const char *p);

static void take_steps(matcher *m, int64_t count) {
    m->steps += count;
    int64_t uncharged = m->steps - m->charged_steps;
    // Several steps at once may go past a multiple of the batch, so what is left to pay is compared, not divided.
    if (uncharged >= STEP_BATCH) {
        if (m->steps > m->most_steps) {
            luaL_error(m->L, "pattern too complex: it takes too many attempts on this text");
        }
        m->charged_steps = m->steps;
        repartee_lua_charge(m->L, uncharged);
    }
}

static void take_step(matcher *m) { take_steps(m, 1); }

// --- One character ---

// Returns the end of the item that starts at p and stands for one character.
static const char *item_end(matcher *m, const char *p) {
    char first = *p++;
    if (first == '%') {
        if (p == m->pattern_end) {
            luaL_error(m->L, "malformed pattern (ends with '%%')");
        }
        return p + 1;
    }
    if (first != '[') {
        return p;
    }
    if (p < m->pattern_end && *p == '^') {
        p++;
    }
    // A bracket that comes first stands for itself.
    for (int is_first = 1;; is_first = 0) {
        if (p >= m->pattern_end) {
            luaL_error(m->L, "malformed pattern (missing ']')");
        }
        char c = *p++;
        if (c == ']' && !is_first) {
            return p;
        }
        if (c == '%') {
            if (p >= m->pattern_end) {
                luaL_error(m->L, "malformed pattern (missing ']')");
            }
            p++;
        }
    }
}

static int in_class(int c, int class) {
    int result;
    switch (tolower(class)) {
        case 'a': result = isalpha(c); break;
        case 'c': result = iscntrl(c); break;
        case 'd': result = isdigit(c); break;
        case 'g': result = isgraph(c); break;
        case 'l': result = islower(c); break;
        case 'p': result = ispunct(c); break;
        case 's': result = isspace(c); break;
        case 'u': result = isupper(c); break;
        case 'w': result = isalnum(c); break;
        case 'x': result = isxdigit(c); break;
        default: return class == c;
    }
    return isupper(class) ? !result : result != 0;
}

// The set starts at `[`; `last` is its closing bracket.
static int in_set(int c, const char *p, const char *last) {
    int found = 0;
    p++;
    int negated = *p == '^';
    if (negated) {
        p++;
    }
    while (p < last && !found) {
        if (*p == '%') {
            found = in_class(c, (unsigned char)p[1]);
            p += 2;
        } else if (p + 2 < last && p[1] == '-') {
            found = (unsigned char)p[0] <= c && c <= (unsigned char)p[2];
            p += 3;
        } else {
            found = (unsigned char)*p++ == c;
        }
    }
    return found != negated;
}

static int fits(matcher *m, const char *at, const char *p, const char *end) {
    if (at >= m->text_end) {
        return 0;
    }
    take_step(m);
    int c = (unsigned char)*at;
    switch (*p) {
        case '.': return 1;
        case '%': return in_class(c, (unsigned char)p[1]);
        case '[': return in_set(c, p, end - 1);
        default: return (unsigned char)*p == c;
    }
}

// --- Items that stand for more ---

static const char *match_balanced(matcher *m, const char *at, const char *p) {
    if (p + 1 >= m->pattern_end) {
        luaL_error(m->L, "malformed pattern (missing arguments to '%%b')");
    }
    if (at >= m->text_end || *at != p[0]) {
        return NULL;
    }
    ptrdiff_t open = 1;
    while (++at < m->text_end) {
        take_step(m);
        if (*at == p[1]) {
            if (--open == 0) {
                return at + 1;
            }
        } else if (*at == p[0]) {
            open++;
        }
    }
    return NULL;
}

static const char *match_greedy(matcher *m, const char *at, const char *p, const char *end) {
    ptrdiff_t count = 0;
    while (fits(m, at + count, p, end)) {
        count++;
    }
    for (; count >= 0; count--) {
        const char *result = match(m, at + count, end + 1);
        if (result != NULL) {
            return result;
        }
    }
    return NULL;
}

static const char *match_lazy(matcher *m, const char *at, const char *p, const char *end) {
    for (;; at++) {
        const char *result = match(m, at, end + 1);
        if (result != NULL || !fits(m, at, p, end)) {
            return result;
        }
    }
}

static const char *open_capture(matcher *m, const char *at, const char *p, ptrdiff_t length) {
    if (m->count >= MOST_CAPTURES) {
        luaL_error(m->L, "too many captures");
    }
    m->captures[m->count].start = at;
    m->captures[m->count].length = length;
    m->count++;
    const char *result = match(m, at, p);
    if (result == NULL) {
        m->count--;
    }
    return result;
}

static const char *close_capture(matcher *m, const char *at, const char *p) {
    int index = m->count - 1;
    while (index >= 0 && m->captures[index].length != LENGTH_OPEN) {
        index--;
    }
    if (index < 0) {
        luaL_error(m->L, "invalid pattern capture");
    }
    m->captures[index].length = at - m->captures[index].start;
    const char *result = match(m, at, p);
    if (result == NULL) {
        m->captures[index].length = LENGTH_OPEN;
    }
    return result;
}

static const char *match_again(matcher *m, const char *at, char digit) {
    int index = digit - '1';
    if (index < 0 || index >= m->count || m->captures[index].length == LENGTH_OPEN) {
        luaL_error(m->L, "invalid capture index %%%d in pattern", index + 1);
    }
    ptrdiff_t length = m->captures[index].length;
    // A position has no text that could come again.
    if (length < 0) {
        return NULL;
    }
    take_steps(m, 1 + length / STEP_BATCH);
    if (m->text_end - at < length || memcmp(m->captures[index].start, at, (size_t)length) != 0) {
        return NULL;
    }
    return at + length;
}

static const char *match_items(matcher *m, const char *at, const char *p) {
    while (p != m->pattern_end) {
        take_step(m);
        if (*p == '(') {
            int is_position = p + 1 < m->pattern_end && p[1] == ')';
            return open_capture(m, at, p + 1 + is_position, is_position ? LENGTH_POSITION : LENGTH_OPEN);
        }
        if (*p == ')') {
            return close_capture(m, at, p + 1);
        }
        if (*p == '$' && p + 1 == m->pattern_end) {
            return at == m->text_end ? at : NULL;
        }
        if (*p == '%' && p + 1 < m->pattern_end) {
            char kind = p[1];
            if (kind == 'b') {
                at = match_balanced(m, at, p + 2);
                if (at == NULL) {
                    return NULL;
                }
                p += 4;
                continue;
            }
            if (kind == 'f') {
                p += 2;
                if (p >= m->pattern_end || *p != '[') {
                    luaL_error(m->L, "missing '[' after '%%f' in pattern");
                }
                const char *end = item_end(m, p);
                int before = at == m->text ? 0 : (unsigned char)at[-1];
                int after = at < m->text_end ? (unsigned char)*at : 0;
                if (in_set(before, p, end - 1) || !in_set(after, p, end - 1)) {
                    return NULL;
                }
                p = end;
                continue;
            }
            if (isdigit((unsigned char)kind)) {
                at = match_again(m, at, kind);
                if (at == NULL) {
                    return NULL;
                }
                p += 2;
                continue;
            }
        }
        const char *end = item_end(m, p);
        char suffix = end < m->pattern_end ? *end : 0;
        switch (suffix) {
            case '*': return match_greedy(m, at, p, end);
            case '+': return fits(m, at, p, end) ? match_greedy(m, at + 1, p, end) : NULL;
            case '-': return match_lazy(m, at, p, end);
            case '?': {
                if (fits(m, at, p, end)) {
                    const char *result = match(m, at + 1, end + 1);
                    if (result != NULL) {
                        return result;
                    }
                }
                p = end + 1;
                continue;
            }
        }
        if (!fits(m, at, p, end)) {
            return NULL;
        }
        at++;
        p = end;
    }
    return at;
}

// Matches the rest of a pattern; returns the end of the match or NULL.
static const char *match(matcher *m, const char *at, const char *p) {
    if (++m->depth > MOST_DEPTH) {
        luaL_error(m->L, "pattern too complex");
    }
    const char *result = match_items(m, at, p);
    m->depth--;
    return result;
}

// --- Searches ---

static void prepare(matcher *m, lua_State *L, const char *text, size_t text_size, const char *p, size_t size) {
    m->L = L;
    m->text = text;
    m->text_end = text + text_size;
    m->pattern_end = p + size;
    m->steps = 0;
    m->charged_steps = 0;
    m->most_steps = MOST_STEPS + (int64_t)text_size * MOST_STEPS_PER_BYTE;
    m->depth = 0;
    m->count = 0;
}

static const char *match_at(matcher *m, const char *at, const char *p) {
    m->count = 0;
    m->depth = 0;
    return match(m, at, p);
}

// Pushes a capture; capture 0 of a pattern without captures is the whole match.
// stack: → capture
static void push_capture(matcher *m, int index, const char *start, const char *end) {
    if (index >= m->count) {
        if (index != 0) {
            luaL_error(m->L, "invalid capture index %%%d", index + 1);
        }
        lua_pushlstring(m->L, start, (size_t)(end - start));
        return;
    }
    ptrdiff_t length = m->captures[index].length;
    if (length == LENGTH_OPEN) {
        luaL_error(m->L, "unfinished capture");
    }
    if (length == LENGTH_POSITION) {
        lua_pushinteger(m->L, m->captures[index].start - m->text + 1);
    } else {
        lua_pushlstring(m->L, m->captures[index].start, (size_t)length);
    }
}

// Pushes all captures, or the whole match where there are none and `start` is given.
// stack: → captures
static int push_captures(matcher *m, const char *start, const char *end) {
    int count = m->count == 0 && start != NULL ? 1 : m->count;
    luaL_checkstack(m->L, count, "too many captures");
    for (int index = 0; index < count; index++) {
        push_capture(m, index, start, end);
    }
    return count;
}

// Turns a position as scripts give it into an offset; negative ones count from the end.
static size_t offset_of(lua_Integer position, size_t size) {
    if (position > 0) {
        return (size_t)position - 1;
    }
    if (position == 0 || position < -(lua_Integer)size) {
        return 0;
    }
    return size + (size_t)position;
}

static int is_plain(const char *p, size_t size) {
    for (size_t index = 0; index < size; index++) {
        if (p[index] != 0 && strchr("^$*+?.([%-", p[index]) != NULL) {
            return 0;
        }
    }
    return 1;
}

static int search(lua_State *L, int is_find) {
    size_t size, pattern_size;
    const char *text = luaL_checklstring(L, 1, &size);
    const char *p = luaL_checklstring(L, 2, &pattern_size);
    size_t start = offset_of(luaL_optinteger(L, 3, 1), size);
    if (start > size) {
        luaL_pushfail(L);
        return 1;
    }
    if (is_find && (lua_toboolean(L, 4) || is_plain(p, pattern_size))) {
        const char *found = memmem(text + start, size - start, p, pattern_size);
        repartee_lua_charge(L, (found == NULL ? (int64_t)(size - start) : found - (text + start)) / 256);
        if (found == NULL) {
            luaL_pushfail(L);
            return 1;
        }
        lua_pushinteger(L, found - text + 1);
        lua_pushinteger(L, found - text + (lua_Integer)pattern_size);
        return 2;
    }
    matcher m;
    prepare(&m, L, text, size, p, pattern_size);
    int is_anchored = pattern_size > 0 && *p == '^';
    p += is_anchored;
    const char *at = text + start;
    do {
        const char *end = match_at(&m, at, p);
        if (end != NULL) {
            if (!is_find) {
                return push_captures(&m, at, end);
            }
            lua_pushinteger(L, at - text + 1);
            lua_pushinteger(L, end - text);
            return push_captures(&m, NULL, NULL) + 2;
        }
    } while (at++ < m.text_end && !is_anchored);
    luaL_pushfail(L);
    return 1;
}

static int string_find(lua_State *L) {
    return search(L, 1);
}

static int string_match(lua_State *L) {
    return search(L, 0);
}

// Upvalues: text, pattern, offset of the next attempt, offset of the end of the last match (-1: none).
static int next_match(lua_State *L) {
    size_t size, pattern_size;
    const char *text = lua_tolstring(L, lua_upvalueindex(1), &size);
    const char *p = lua_tolstring(L, lua_upvalueindex(2), &pattern_size);
    lua_Integer last = lua_tointeger(L, lua_upvalueindex(4));
    matcher m;
    prepare(&m, L, text, size, p, pattern_size);
    for (const char *at = text + lua_tointeger(L, lua_upvalueindex(3)); at <= m.text_end; at++) {
        const char *end = match_at(&m, at, p);
        // An empty match right behind the one before does not count.
        if (end != NULL && end - text != last) {
            lua_pushinteger(L, end - text);
            lua_copy(L, -1, lua_upvalueindex(3));
            lua_replace(L, lua_upvalueindex(4));
            return push_captures(&m, at, end);
        }
    }
    lua_pushinteger(L, (lua_Integer)size + 1);
    lua_replace(L, lua_upvalueindex(3));
    return 0;
}

static int string_gmatch(lua_State *L) {
    size_t size;
    luaL_checklstring(L, 1, &size);
    luaL_checkstring(L, 2);
    size_t start = offset_of(luaL_optinteger(L, 3, 1), size);
    if (start > size) {
        start = size + 1;
    }
    lua_settop(L, 2);
    lua_pushinteger(L, (lua_Integer)start);
    lua_pushinteger(L, -1);
    lua_pushcclosure(L, next_match, 4);
    return 1;
}

// Adds the replacement text at index 3 with its marks filled in.
static void add_text(matcher *m, luaL_Buffer *buffer, const char *start, const char *end) {
    size_t size;
    const char *text = lua_tolstring(m->L, 3, &size);
    for (const char *at = text; at < text + size; at++) {
        if (*at != '%') {
            luaL_addchar(buffer, *at);
            continue;
        }
        at++;
        if (at < text + size && *at == '%') {
            luaL_addchar(buffer, '%');
        } else if (at < text + size && *at == '0') {
            luaL_addlstring(buffer, start, (size_t)(end - start));
        } else if (at < text + size && isdigit((unsigned char)*at)) {
            push_capture(m, *at - '1', start, end);
            luaL_tolstring(m->L, -1, NULL);
            lua_remove(m->L, -2);
            luaL_addvalue(buffer);
        } else {
            luaL_error(m->L, "invalid use of '%%' in replacement string");
        }
    }
}

// Adds what stands for one match.
static void add_replacement(matcher *m, luaL_Buffer *buffer, const char *start, const char *end, int type) {
    lua_State *L = m->L;
    if (type == LUA_TFUNCTION) {
        lua_pushvalue(L, 3);
        int count = push_captures(m, start, end);
        lua_call(L, count, 1);
    } else if (type == LUA_TTABLE) {
        push_capture(m, 0, start, end);
        lua_gettable(L, 3);
    } else {
        add_text(m, buffer, start, end);
        return;
    }
    if (!lua_toboolean(L, -1)) {
        lua_pop(L, 1);
        luaL_addlstring(buffer, start, (size_t)(end - start));
    } else if (!lua_isstring(L, -1)) {
        luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
    } else {
        luaL_addvalue(buffer);
    }
}

static int string_gsub(lua_State *L) {
    size_t size, pattern_size;
    const char *text = luaL_checklstring(L, 1, &size);
    const char *p = luaL_checklstring(L, 2, &pattern_size);
    int type = lua_type(L, 3);
    lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)size + 1);
    luaL_argexpected(L, type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION || type == LUA_TTABLE, 3,
                     "string/function/table");
    int is_anchored = pattern_size > 0 && *p == '^';
    p += is_anchored;
    matcher m;
    prepare(&m, L, text, size, p, pattern_size - (size_t)is_anchored);
    luaL_Buffer buffer;
    luaL_buffinit(L, &buffer);
    lua_Integer count = 0;
    const char *at = text, *last = NULL;
    while (count < most) {
        const char *end = match_at(&m, at, p);
        if (end != NULL && end != last) {
            count++;
            add_replacement(&m, &buffer, at, end, type);
            at = last = end;
        } else if (at < m.text_end) {
            luaL_addchar(&buffer, *at++);
        } else {
            break;
        }
        if (is_anchored) {
            break;
        }
    }
    luaL_addlstring(&buffer, at, (size_t)(m.text_end - at));
    luaL_pushresult(&buffer);
    lua_pushinteger(L, count);
    return 2;
}

void repartee_lua_open_patterns(lua_State *L) {
    static const luaL_Reg functions[] = {
        {"find", string_find}, {"match", string_match}, {"gmatch", string_gmatch}, {"gsub", string_gsub}, {NULL, NULL},
    };
    lua_getfield(L, -1, LUA_STRLIBNAME);
    luaL_setfuncs(L, functions, 0);
    lua_pop(L, 1);
}
