import JSON

/// What goes over the control connection of `repartee serve`: one JSON object a text message.
///
/// | direction | message | meaning |
/// |---|---|---|
/// | → | `{"id":1,"method":"start","system":"boldchat","options":{…}}` | start a simulated server |
/// | ← | `{"id":1,"result":{"origin":"http://127.0.0.1:4242","properties":{…}}}` | where it is |
/// | → | `{"id":2,"method":"perform","command":"accept","party":"Sam","arguments":{…}}` | a command; without `party` to the server itself |
/// | ← | `{"id":2,"result":{"value":…,"properties":{…}}}` | what it returned |
/// | ← | `{"id":2,"error":"…"}` | the command was refused, and why |
/// | ← | `{"event":"message","party":"Sam","fields":{…},"raw":…}` | what a party observed |
///
/// A connection controls one server, which ends with it.
enum ControlMessage {
    /// The path of the control connection.
    static let path = "/control"

    /// The sub-protocol of the control connection.
    static let subprotocol = "repartee-control.1"
}
