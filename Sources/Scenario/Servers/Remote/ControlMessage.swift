import JSON

/// What goes over the control port of `repartee serve`: JSON objects, as text messages of a WebSocket at ``path`` or as
/// bodies of HTTP requests (``ControlRoute``).
///
/// | direction | message | meaning |
/// |---|---|---|
/// | → | `{"id":1,"method":"start","system":"boldchat","options":{…}}` | start a simulated server |
/// | ← | `{"id":1,"result":{"name":"boldchat","origin":"http://127.0.0.1:4242","properties":{…}}}` | where it is |
/// | → | `{"id":1,"method":"start","system":"support","module":"support","file":"Scenarios/own/conversations.lua"}` | start one that is written in Lua: what the file requires, or declares itself |
/// | → | `{"id":2,"method":"join","party":"Sam","kind":"agent"}` | a party of a system in Lua comes |
/// | ← | `{"id":2,"result":{}}` | done |
/// | → | `{"id":2,"method":"perform","command":"accept","party":"Sam","arguments":{…}}` | a command; without `party` to the server itself |
/// | ← | `{"id":2,"result":{"value":…,"properties":{…}}}` | what it returned |
/// | → | `{"id":3,"method":"list"}` | which servers there are |
/// | ← | `{"id":3,"result":{"servers":[{"name":"boldchat","system":"boldchat","origin":"…"}]}}` | these |
/// | → | `{"id":4,"method":"read","after":7}` | how a server stands |
/// | ← | `{"id":4,"result":{"name":…,"system":…,"origin":…,"properties":{…},"events":[{"number":8,"event":"message","party":"Sam","fields":{…}}]}}` | and what its parties observed after event 7 |
/// | → | `{"id":2,"method":"perform","command":"fail_next","arguments":{…}}` | a fault is ordered for what comes next |
/// | ← | `{"id":2,"result":{"value":null,"properties":{…},"fault":3}}` | it is the third one |
/// | → | `{"id":7,"method":"faults"}` | which of them have struck nothing so far |
/// | ← | `{"id":7,"result":{"idle":[3]}}` | these |
/// | → | `{"id":8,"method":"lapses"}` | what was done wrong at a server in Lua |
/// | ← | `{"id":8,"result":{"breaches":[{"text":"…","sent":"…","reason":"…","left":false}],"more":0,"failure":{"message":"…","kind":"unread","remedy":["…"]}}}` | the messages of clients that are none of the system's, how many more there were, and what its functions passed over, if they did |
/// | → | `{"id":5,"method":"stop"}` | end a server |
/// | ← | `{"id":5,"result":{}}` | done |
/// | ← | `{"id":2,"error":"…"}` | what was asked is refused, and why |
/// | ← | `{"id":2,"error":"…","kind":"expect"}` | a command came to a failure of that kind: the conversation does not offer it, or an expectation of a server in Lua did not hold |
/// | ← | `{"event":"message","party":"Sam","fields":{…},"raw":…}` | what a party observed |
/// | ← | `{"event":"call","call":1,"function":4,"arguments":[…]}` | a server calls a function that its options named, as `{"@function":4}` |
/// | → | `{"id":6,"method":"return","call":1,"value":…}` | what the function returned; `"error":"…"` in place of a value if it failed |
/// | ← | `{"id":6,"result":{}}` | done |
/// | ← | `{"event":"server_failed","message":"…","category":"failure","kind":"expect"}` | a handler of a server in Lua went wrong, which has ended it: an expectation did not hold, or something else is an `error`; the kind is that of a problem in the record |
///
/// A server that a WebSocket has started ends with it and is meant where `server` names no other one. Either side
/// closes a WebSocket over which something else comes.
enum ControlMessage {
    /// The path of the control connection.
    static let path = "/control"

    /// How the control port begins what it tells who asks it for nothing in particular; those who probe a URL know it
    /// by that.
    static let greeting = "This is the control port of repartee serve."

    /// The event that tells that a server has ended because something went wrong in it.
    static let failure = "server_failed"

    /// The event that asks for a function of the script to be called.
    static let call = "call"

    /// The sub-protocol of the control connection.
    static let subprotocol = "repartee-control.1"
}
