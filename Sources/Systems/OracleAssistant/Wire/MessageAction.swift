import JSON

/// Something that the user can tap.
struct MessageAction: WireObject {
    var members: JSONObject

    /// What tapping it does.
    enum Kind: String, CaseIterable, Sendable {
        case postback, call, url, location, share, submitForm, popup, client, webview

        /// Whether it answers the skill, so that it becomes unusable with `disablePastActions` set to `postback`.
        var answersSkill: Bool {
            switch self {
            case .postback, .location, .submitForm: true
            default: false
            }
        }
    }

    /// The kind, if a known one.
    ///
    /// The vendor's table prints `call` as the type of URL actions; its example and its clients use `url`, so an action
    /// of type `call` without a number but with a URL counts as a URL action.
    var kind: Kind? {
        let kind = self.text("type").flatMap(Kind.init(rawValue:))
        return kind == .call && self.phoneNumber == nil && self.url != nil ? .url : kind
    }

    /// The words on the button.
    var label: String? { self.text("label") }

    /// The picture on the button.
    var imageURL: String? { self.text("imageUrl") }

    /// What goes back to the skill.
    var postback: JSONValue? { self.members["postback"] }

    /// The number to call.
    var phoneNumber: String? { self.text("phoneNumber") }

    /// The page to open; the vendor's table prints the name in capitals.
    var url: String? { self.text("url") ?? self.text("URL") }

    /// The payload that a popup shows.
    var popupContent: Payload? { self.object("popupContent").map(Payload.init(members:)) }

    /// What an action of the client does: `custom`, `navigate`, `query`, `updateFields` or `copyMessageText`.
    var clientActionType: String? { self.text("actionType") }

    /// `primary`, `danger` or `default`.
    var style: String? { self.text("style") }

    /// `button`, `link` or `icon`.
    var displayType: String? { self.text("displayType") }

    /// Properties of particular channels.
    var channelExtensions: JSONObject? { self.object("channelExtensions") }
}
