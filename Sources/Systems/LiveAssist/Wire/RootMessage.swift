import JSON

/// What is said to all in a session: JSON with a type (vendor's web SDK).
enum RootMessage: Hashable, Sendable {
    case requestScreenShare
    case rejectScreenShare
    case consumerEndedSupport
    case link(url: String)
    case zoom(isStart: Bool)

    /// Reads a message.
    ///
    /// - Parameter role: Whose message it is.
    /// - Throws: That it says nothing that this role says.
    init(_ value: JSONValue, from role: AssistRole) throws(WireComplaint) {
        guard let type = value["type"]?.string else { throw WireComplaint("a message to all without a type") }
        switch (type, role) {
        case ("requestScreenShare", .agent): self = .requestScreenShare
        case ("startZoom", .agent): self = .zoom(isStart: true)
        case ("endZoom", .agent): self = .zoom(isStart: false)
        case ("url", .agent):
            guard let url = value["url"]?.string else { throw WireComplaint("a link without a URL") }
            self = .link(url: url)
        case ("rejectScreenShare", .consumer): self = .rejectScreenShare
        case ("consumerEndedSupport", .consumer): self = .consumerEndedSupport
        default: throw WireComplaint("a message to all of the type \"\(type.prefix(100))\", which no \(role) sends")
        }
    }
}
