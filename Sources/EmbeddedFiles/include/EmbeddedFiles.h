#ifndef EMBEDDED_FILES_H
#define EMBEDDED_FILES_H

// Files in other languages that are part of the program: each as text that ends with a zero, as long as the process
// lives. The C compiler reads them much faster than the Swift compiler reads literals of the same length.

/// The script of the page of a test run, without the function around it.
const char *embedded_page_script(void);

/// The style of all pages.
const char *embedded_page_style(void);

/// The script of the page of a load run.
const char *embedded_load_script(void);

/// What the page of a load run has beside the style of all pages.
const char *embedded_load_style(void);

/// The part of the scenario language that is written in Lua.
const char *embedded_prelude(void);

/// The Lua half of chat systems that are written in Lua.
const char *embedded_systems_prelude(void);

#endif
