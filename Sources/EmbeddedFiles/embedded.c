#include "EmbeddedFiles.h"

// The parts of a page stand one below the other, each after an empty line.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char page_script[] = {
    '\n',
#embed "Page/Basics.js"
    ,
    '\n',
#embed "Page/List.js"
    ,
    '\n',
#embed "Page/Overview.js"
    ,
    '\n',
#embed "Page/Bubbles.js"
    ,
    '\n',
#embed "Page/Versus.js"
    ,
    '\n',
#embed "Page/Causes.js"
    ,
    '\n',
#embed "Page/Streams.js"
    ,
    '\n',
#embed "Page/Conversation.js"
    ,
    '\n',
#embed "Page/Beside.js"
    ,
    '\n',
#embed "Page/Keys.js"
    ,
    0,
};

static const unsigned char page_style[] = {
    '\n',
#embed "Page/Frame.css"
    ,
    '\n',
#embed "Page/Conversation.css"
    ,
    '\n',
#embed "Page/Causes.css"
    ,
    '\n',
#embed "Page/Print.css"
    ,
    0,
};

static const unsigned char load_script[] = {
    '\n',
#embed "Load/Load.js"
    ,
    0,
};

static const unsigned char load_style[] = {
#embed "Load/Load.css"
    ,
    0,
};

static const unsigned char prelude[] = {
#embed "Language/Prelude.lua"
    ,
    0,
};

static const unsigned char systems_prelude[] = {
#embed "Language/Systems.lua"
    ,
    0,
};

const char *embedded_page_script(void) { return (const char *)page_script; }
const char *embedded_page_style(void) { return (const char *)page_style; }
const char *embedded_load_script(void) { return (const char *)load_script; }
const char *embedded_load_style(void) { return (const char *)load_style; }
const char *embedded_prelude(void) { return (const char *)prelude; }
const char *embedded_systems_prelude(void) { return (const char *)systems_prelude; }
