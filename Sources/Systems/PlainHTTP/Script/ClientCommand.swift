import JSON

/// What a script asks a client to do.
enum ClientCommand: Sendable {
    case ask(method: String, url: String?, body: JSONValue?, options: JSONObject?)
    case configure(JSONObject)
    case cancel(request: Int64?)
}
