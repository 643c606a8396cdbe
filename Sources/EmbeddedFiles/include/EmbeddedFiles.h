#ifndef EMBEDDED_FILES_H
#define EMBEDDED_FILES_H

#include <stddef.h>

// Files in other languages that are part of the program: each as text that ends with a zero, as long as the process
// lives. The C compiler reads them much faster than the Swift compiler reads literals of the same length.

/// The script of the page of a test run, without the function around it.
const char *embedded_page_script(void);

/// The style of all pages.
const char *embedded_page_style(void);

/// What the script of the page of a test run has besides while it follows a run that goes.
const char *embedded_live_script(void);

/// What that page has beside the style of all pages.
const char *embedded_live_style(void);

/// The script of the page of a load run.
const char *embedded_load_script(void);

/// What the script of that page has besides while it follows a run that goes.
const char *embedded_live_load_script(void);

/// What the page of a load run has beside the style of all pages.
const char *embedded_load_style(void);

/// The script of the page on which people play conversations by hand, without the function around it.
const char *embedded_chat_script(void);

/// The style of that page.
const char *embedded_chat_style(void);

/// The scenario that does what a person does by hand, without its chat system.
const char *embedded_by_hand(void);

/// What a model is told that judges a text; answers to another one are not in a cassette.
const char *embedded_judge_prompt(void);

/// What a model is told that writes what a person says in a chat; turns by another one are not in a cassette.
const char *embedded_persona_prompt(void);

/// The part of the scenario language that is written in Lua.
const char *embedded_prelude(void);

/// The Lua half of chat systems that are written in Lua.
const char *embedded_systems_prelude(void);

/// How many chat systems that are written in Lua come with the program.
size_t embedded_system_count(void);

/// The name by which scripts require one of them; `number` is below their count.
const char *embedded_system_name(size_t number);

/// The Lua of one of them.
const char *embedded_system(size_t number);

#endif
