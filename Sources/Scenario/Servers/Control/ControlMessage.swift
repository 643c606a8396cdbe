import JSON

/// What goes over the control port of `repartee serve`: JSON objects, as text messages of a WebSocket at ``path`` or as
/// bodies of HTTP requests (``ControlRoute``).
///
/// | direction | message | meaning |
/// |---|---|---|
/// | → | `{"id":1,"method":"start","system":"boldchat","options":{…}}` | start a simulated server |
/// | ← | `{"id":1,"result":{"name":"boldchat","origin":"http://127.0.0.1:4242","properties":{…}}}` | where it is |
/// | → | `{"id":2,"method":"perform","command":"accept","party":"Sam","arguments":{…}}` | a command; without `party` to the server itself |
/// | ← | `{"id":2,"result":{"value":…,"properties":{…}}}` | what it returned |
/// | → | `{"id":3,"method":"list"}` | which servers there are |
/// | ← | `{"id":3,"result":{"servers":[{"name":"boldchat","system":"boldchat","origin":"…"}]}}` | these |
/// | → | `{"id":4,"method":"read","after":7}` | how a server stands |
/// | ← | `{"id":4,"result":{"name":…,"system":…,"origin":…,"properties":{…},"events":[{"number":8,"event":"message","party":"Sam","fields":{…}}]}}` | and what its parties observed after event 7 |
/// | → | `{"id":5,"method":"stop"}` | end a server |
/// | ← | `{"id":5,"result":{}}` | done |
/// | ← | `{"id":2,"error":"…"}` | what was asked is refused, and why |
/// | ← | `{"event":"message","party":"Sam","fields":{…},"raw":…}` | what a party observed |
///
/// A server that a WebSocket has started ends with it and is meant where `server` names no other one.
enum ControlMessage {
    /// The path of the control connection.
    static let path = "/control"

    /// The sub-protocol of the control connection.
    static let subprotocol = "repartee-control.1"
}
