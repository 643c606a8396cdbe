#include "EmbeddedFiles.h"

// The parts of a page stand one below the other, each after an empty line.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char page_script[] = {
    '\n',
#embed "Page/Elements.js"
    ,
    '\n',
#embed "Page/Basics.js"
    ,
    '\n',
#embed "Page/List.js"
    ,
    '\n',
#embed "Page/Address.js"
    ,
    '\n',
#embed "Page/Overview.js"
    ,
    '\n',
#embed "Page/Bubbles.js"
    ,
    '\n',
#embed "Page/TranscriptDiff.js"
    ,
    '\n',
#embed "Page/ValueDiff.js"
    ,
    '\n',
#embed "Page/FailurePanel.js"
    ,
    '\n',
#embed "Page/Streams.js"
    ,
    '\n',
#embed "Page/Conversation.js"
    ,
    '\n',
#embed "Page/DetailPane.js"
    ,
    '\n',
#embed "Page/Keys.js"
    ,
    0,
};

static const unsigned char live_script[] = {
    '\n',
#embed "Page/Live.js"
    ,
    0,
};

static const unsigned char live_style[] = {
    '\n',
#embed "Page/Live.css"
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
#embed "Page/FailurePanel.css"
    ,
    '\n',
#embed "Page/Print.css"
    ,
    0,
};

static const unsigned char judge_prompt[] = {
#embed "Judges/Judge.txt"
    ,
    0,
};

static const unsigned char persona_prompt[] = {
#embed "Judges/Persona.txt"
    ,
    0,
};

static const unsigned char load_script[] = {
    '\n',
#embed "Load/Load.js"
    ,
    0,
};

static const unsigned char live_load_script[] = {
    '\n',
#embed "Load/LoadLive.js"
    ,
    0,
};

static const unsigned char load_style[] = {
#embed "Load/Load.css"
    ,
    0,
};

static const unsigned char chat_script[] = {
    '\n',
#embed "Page/Elements.js"
    ,
    '\n',
#embed "Page/Bubbles.js"
    ,
    '\n',
#embed "Chat/Forms.js"
    ,
    '\n',
#embed "Chat/Chat.js"
    ,
    0,
};

static const unsigned char chat_style[] = {
    '\n',
#embed "Page/Frame.css"
    ,
    '\n',
#embed "Page/Conversation.css"
    ,
    '\n',
#embed "Chat/Chat.css"
    ,
    0,
};

static const unsigned char by_hand[] = {
#embed "Language/ByHand.lua"
    ,
    0,
};

// One chunk, whose parts use the locals of those before them.
static const unsigned char prelude[] = {
#embed "Language/Prelude.lua"
    ,
    '\n',
#embed "Language/Declarations.lua"
    ,
    '\n',
#embed "Language/Matchers.lua"
    ,
    '\n',
#embed "Language/Events.lua"
    ,
    '\n',
#embed "Language/Flow.lua"
    ,
    '\n',
#embed "Language/Printing.lua"
    ,
    '\n',
#embed "Language/Persona.lua"
    ,
    0,
};

// One chunk, too.
static const unsigned char systems_prelude[] = {
#embed "Language/StreamReaders.lua"
    ,
    '\n',
#embed "Language/Answers.lua"
    ,
    '\n',
#embed "Language/LuaSystems.lua"
    ,
    0,
};

static const unsigned char graphql_system[] = {
#embed "Systems/graphql.lua"
    ,
    0,
};

static const unsigned char graphql_results[] = {
#embed "Systems/graphql/results.lua"
    ,
    0,
};

static const unsigned char mqtt_system[] = {
#embed "Systems/mqtt.lua"
    ,
    0,
};

static const unsigned char mqtt_broker[] = {
#embed "Systems/mqtt/broker.lua"
    ,
    0,
};

static const unsigned char mqtt_packets[] = {
#embed "Systems/mqtt/packets.lua"
    ,
    0,
};

static const unsigned char mqtt_sessions[] = {
#embed "Systems/mqtt/sessions.lua"
    ,
    0,
};

static const unsigned char mqtt_subscriptions[] = {
#embed "Systems/mqtt/subscriptions.lua"
    ,
    0,
};

static const unsigned char openai_system[] = {
#embed "Systems/openai.lua"
    ,
    0,
};

static const unsigned char openai_events[] = {
#embed "Systems/openai/events.lua"
    ,
    0,
};

static const unsigned char socketio_system[] = {
#embed "Systems/socketio.lua"
    ,
    0,
};

static const unsigned char socketio_packets[] = {
#embed "Systems/socketio/packets.lua"
    ,
    0,
};

static const unsigned char socketio_server[] = {
#embed "Systems/socketio/server.lua"
    ,
    0,
};

static const unsigned char stomp_system[] = {
#embed "Systems/stomp.lua"
    ,
    0,
};

static const unsigned char stomp_broker[] = {
#embed "Systems/stomp/broker.lua"
    ,
    0,
};

static const unsigned char stomp_frames[] = {
#embed "Systems/stomp/frames.lua"
    ,
    0,
};

static const unsigned char stomp_heartbeats[] = {
#embed "Systems/stomp/heartbeats.lua"
    ,
    0,
};

static const unsigned char support_system[] = {
#embed "Systems/support.lua"
    ,
    0,
};

static const unsigned char systems_no_timer[] = {
#embed "Systems/systems/no_timer.lua"
    ,
    0,
};

static const unsigned char systems_settings[] = {
#embed "Systems/systems/settings.lua"
    ,
    0,
};

static const unsigned char systems_unfinished[] = {
#embed "Systems/systems/unfinished.lua"
    ,
    0,
};

// By the names that scripts require; what has a dot in it is a part of a system, or, with systems, of several.
static const struct {
    const char *name;
    const unsigned char *source;
} systems[] = {
    {"graphql", graphql_system},
    {"graphql.results", graphql_results},
    {"mqtt", mqtt_system},
    {"mqtt.broker", mqtt_broker},
    {"mqtt.packets", mqtt_packets},
    {"mqtt.sessions", mqtt_sessions},
    {"mqtt.subscriptions", mqtt_subscriptions},
    {"openai", openai_system},
    {"openai.events", openai_events},
    {"socketio", socketio_system},
    {"socketio.packets", socketio_packets},
    {"socketio.server", socketio_server},
    {"stomp", stomp_system},
    {"stomp.broker", stomp_broker},
    {"stomp.frames", stomp_frames},
    {"stomp.heartbeats", stomp_heartbeats},
    {"support", support_system},
    {"systems.no_timer", systems_no_timer},
    {"systems.settings", systems_settings},
    {"systems.unfinished", systems_unfinished},
};

size_t embedded_system_count(void) { return sizeof systems / sizeof systems[0]; }
const char *embedded_system_name(size_t number) { return systems[number].name; }
const char *embedded_system(size_t number) { return (const char *)systems[number].source; }

const char *embedded_page_script(void) { return (const char *)page_script; }
const char *embedded_page_style(void) { return (const char *)page_style; }
const char *embedded_live_script(void) { return (const char *)live_script; }
const char *embedded_live_style(void) { return (const char *)live_style; }
const char *embedded_load_script(void) { return (const char *)load_script; }
const char *embedded_live_load_script(void) { return (const char *)live_load_script; }
const char *embedded_load_style(void) { return (const char *)load_style; }
const char *embedded_chat_script(void) { return (const char *)chat_script; }
const char *embedded_chat_style(void) { return (const char *)chat_style; }
const char *embedded_judge_prompt(void) { return (const char *)judge_prompt; }
const char *embedded_persona_prompt(void) { return (const char *)persona_prompt; }
const char *embedded_by_hand(void) { return (const char *)by_hand; }
const char *embedded_prelude(void) { return (const char *)prelude; }
const char *embedded_systems_prelude(void) { return (const char *)systems_prelude; }
