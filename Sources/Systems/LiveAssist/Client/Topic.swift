import JSON

/// What a client knows of one topic.
struct Topic: Hashable, Sendable {
    let id: UInt16
    let parent: UInt16
    var owner: UInt16
    let metadata: JSONValue
    let isPrivate: Bool
    /// The others in it.
    var members: Set<UInt16> = []
    var permissions: [UInt16: TopicPermission] = [:]

    var type: String { self.metadata["type"]?.string ?? "" }

    /// Whether this is the topic of the whole screen, not of a document or window on it.
    var isScreen: Bool { self.type == "shared-window" && self.parent == 0 && self.isPrivate }

    /// Whether this is the window of a document that the consumer shares of its own accord.
    var isOwnDocument: Bool {
        self.type == "shared-window" && !self.isScreen && self.metadata["sharedItemId"]?.string == "local"
    }

    /// What is told of such a document.
    var documentFields: JSONObject {
        let type = self.metadata["contentType"]?.string ?? ""
        var fields: JSONObject = ["id": -1, "type": .string(type), "shared": true]
        // The number and the type are defined here; the vendor's consumers tell neither.
        fields["document"] = self.metadata["key"]?.integer.map { .integer($0) }
        return fields
    }

    /// What a message on this topic says of a document: the vendor's web client tells in the document's window that it
    /// closes, where the iOS client tells it on the topic of the screen.
    func told(_ message: WindowMessage) -> WindowMessage {
        guard case .windowClosed(let initiator) = message, !self.isScreen,
            let id = self.metadata["sharedItemId"]?.integer.flatMap(Int16.init(exactly:))
        else { return message }
        return .documentClosed(id: id, initiator)
    }

    /// A window as scripts read it.
    var windowFields: JSONObject {
        var fields: JSONObject = [:]
        fields["document"] = self.metadata["key"]
        fields["type"] = self.metadata["contentType"]
        fields["closeable"] = self.metadata["closeable"]
        fields["on_top"] = self.metadata["onTop"]
        return fields
    }
}
