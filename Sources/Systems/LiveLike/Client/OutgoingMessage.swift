import JSON
import Machines

/// A message on its way out.
struct OutgoingMessage: Hashable, Sendable {
    let clientID: String
    let room: String
    let kind: ChatMessage.Kind
    var text = ""
    var image = ChatMessage.Image()
    var imageData: [UInt8]?
    var quote: JSONObject?
    var parentID: String?
    var programDateTime: String?
    var metadata: JSONObject?

    /// Takes the URL of its image, which has been uploaded.
    ///
    /// - Parameter body: The answer to the upload.
    /// - Returns: The URL.
    /// - Throws: ``SDKError`` if the answer names none.
    mutating func takeUpload(_ body: [UInt8]) throws(SDKError) -> String {
        guard !body.isEmpty else { throw SDKError("noDataInResponse", "the answer to the upload has no body") }
        guard let url = (try? JSONReader.read(body))?["image_url"]?.string else {
            throw SDKError("failedToDecodeDataAsImageResource", "the answer to the upload names no image_url")
        }
        self.imageData = nil
        self.image.url = url
        return url
    }

    /// Returns what there is to tell of a message that was not taken.
    func refusal(_ error: SDKError, on platform: Platform) -> MemberEvent {
        let fields: JSONObject = ["room": .string(self.room), "client_message_id": .string(self.clientID)]
        switch platform {
        case .iOS:
            let said = error.status == 403 ? SDKError.accessDenied : error
            return MemberEvent(said, callback: "sendMessage", fields)
        case .android:
            let said = SDKError("DENIED_MESSAGE_PUBLISH", error.message, status: error.status)
            return MemberEvent(said, callback: "onErrorMessage", fields)
        }
    }

    /// Adds the image that the message is.
    ///
    /// - Parameter now: The moment, of which an image has its name until it is uploaded.
    /// - Throws: ``CommandError`` if there is none, or it cannot be sent.
    mutating func add(_ content: ImageContent, at now: Instant) throws(CommandError) {
        let sides = [content.width, content.height].map { $0 ?? ChatMessage.Image.defaultSide }
        guard sides.allSatisfy(ChatMessage.Image.sides.contains) else {
            let range = "from \(Int(ChatMessage.Image.sides.lowerBound)) to \(Int(ChatMessage.Image.sides.upperBound))"
            throw CommandError(
                "send_image takes a width and a height \(range) points, not \(sides[0]) and \(sides[1])")
        }
        self.image.width = sides[0]
        self.image.height = sides[1]
        self.image.url = content.url
        if let data = content.data {
            guard let bytes = Base64.decode(data), !bytes.isEmpty else {
                throw CommandError("send_image takes the bytes of the image as base64 text with padding")
            }
            self.imageData = bytes
            self.image.url = "mock:\(now.nanoseconds / 1_000_000).gif"
        }
        guard self.image.url != nil else { throw CommandError("send_image needs url or data; pass one of them") }
    }

    /// Adds what goes along with the message.
    ///
    /// - Throws: ``CommandError`` if a message that it quotes or answers is not loaded or cannot be answered.
    mutating func add(_ extras: MessageExtras, in room: RoomPart) throws(CommandError) {
        self.programDateTime = extras.time
        self.metadata = extras.metadata
        if let context = extras.context { try self.add(context, in: room) }
    }

    private mutating func add(_ context: MessageContext, in room: RoomPart) throws(CommandError) {
        func target(_ id: String) throws(CommandError) -> ChatMessage {
            if let message = room.message(id) { return message }
            throw CommandError("no message \"\(id)\" is loaded in the room \"\(room.id)\"; load history first")
        }
        switch context {
        case .reply(let id):
            let target = try target(id.lowercased())
            guard target.thread.parentID == nil else {
                throw CommandError(
                    "the message \"\(target.id)\" is a reply itself; threads do not nest, reply to its parent")
            }
            self.parentID = target.id
        case .quote(let id):
            let target = try target(id.lowercased())
            // One level only: the quoted message goes without its own quote.
            var quote: JSONObject = [
                "id": .string(target.id), "message": .string(target.text), "sender_id": .string(target.sender.id),
            ]
            quote["sender_nickname"] = target.sender.nickname.map { .string($0) }
            if target.kind == .image {
                quote["image_url"] = target.image.url.map { .string($0) }
                quote["image_width"] = ChatMessage.Image.json(target.image.width)
                quote["image_height"] = ChatMessage.Image.json(target.image.height)
            }
            quote["custom_data"] = target.customData.map { .string($0) }
            self.quote = quote
        }
    }
}
