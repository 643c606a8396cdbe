import JSON

/// A file that was sent.
struct Attachment: WireObject {
    var members: JSONObject

    /// The kinds of files.
    enum Kind: String, CaseIterable, Sendable {
        case audio, file, image, video

        /// The kind for a MIME type: its major type, else a plain file.
        init(mimeType: String) {
            self = Kind(rawValue: String(mimeType.prefix { $0 != "/" })) ?? .file
        }
    }

    /// The kind, if a known one.
    var kind: Kind? { self.text("type").flatMap(Kind.init(rawValue:)) }

    /// Where it can be downloaded.
    var url: String? { self.text("url") }

    /// What it is called.
    var title: String? { self.text("title") }
}

/// A message that is a file.
struct AttachmentPayload: PayloadContent {
    var members: JSONObject

    /// The file.
    var attachment: Attachment? { self.view("attachment") }
}

/// A place on the earth.
struct Location: WireObject {
    var members: JSONObject

    /// Degrees north; the vendor's table swaps the descriptions of the two coordinates.
    var latitude: Double? { self.number("latitude") }

    /// Degrees east.
    var longitude: Double? { self.number("longitude") }

    /// What the place is called.
    var title: String? { self.text("title") }

    /// Where a map shows it; the vendor's table prints the name in capitals.
    var url: String? { self.text("url") ?? self.text("URL") }
}

/// A message that is a place.
struct LocationPayload: PayloadContent {
    var members: JSONObject

    /// The place.
    var location: Location? { self.view("location") }
}

/// One card of a carousel or list.
struct Card: WireObject {
    var members: JSONObject

    /// The first line.
    var title: String? { self.text("title") }

    /// The words under it.
    var description: String? { self.text("description") }

    /// The picture.
    var imageURL: String? { self.text("imageUrl") }

    /// The page that a tap on the card opens.
    var url: String? { self.text("url") ?? self.text("URL") }

    /// Properties of particular channels.
    var channelExtensions: ChannelExtensions { self.view("channelExtensions") ?? ChannelExtensions(members: [:]) }

    /// The buttons of the card.
    var actions: [MessageAction] { self.views("actions") }
}

/// A message that is a set of cards.
struct CardPayload: PayloadContent {
    var members: JSONObject

    /// How the cards lie.
    enum Layout: String, CaseIterable, Sendable {
        case horizontal, vertical
    }

    /// How the cards lie; horizontal unless the message says otherwise, nil if in no way that there is.
    var layout: Layout? { self.isGiven("layout") ? self.text("layout").flatMap(Layout.init(rawValue:)) : .horizontal }

    /// The cards.
    var cards: [Card] { self.views("cards") }
}
