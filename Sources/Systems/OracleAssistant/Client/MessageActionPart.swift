import JSON
import Machines

/// The buttons of messages, and the place of the device that some of them share (chapter "Message Actions").
///
/// | place | input | → place | actions |
/// |---|---|---|---|
/// | any | `tapped` a postback, a link, a form, a popup, … | unchanged | sends, opens, submits, shows, … |
/// | any | `tapped` a card with a page | unchanged | opens it |
/// | any | `tapped`, `rated`, nothing of that kind that can be tapped | unchanged | not offered |
/// | any | `tapped`, several that differ | unchanged | refused |
/// | known | `tapped` a location | known | sends the place |
/// | unset, denied, disabled | `tapped` a location | unchanged | `error` |
/// | any | `locationSent` | unchanged | sends the place, or `error` |
/// | any | `placeSet` | as it says | |
struct MessageActionPart: Sendable {
    /// What the device says about where it is.
    enum Place: Hashable, Sendable {
        case unset, denied, disabled
        case known(latitude: Double, longitude: Double)
    }

    /// What the user does.
    enum Input: Sendable {
        /// Which of several buttons with the same words is meant, the options `card` and `number` say.
        case tapped(String, JSONObject)
        case rated(stars: Int64)
        case locationSent(latitude: Double, longitude: Double, title: String?)
        case placeSet(Place)
    }

    private let strings: StringTable
    private let rule: PastActionRule
    private(set) var place = Place.unset

    /// Creates a part whose device has not said where it is.
    init(_ settings: ClientSettings) {
        self.strings = settings.strings
        self.rule = PastActionRule(settings)
    }

    /// Takes in what happened.
    mutating func handle(_ input: Input, on screen: Screen, isConnected: Bool) -> [ClientAction] {
        switch input {
        case .tapped(let label, let options): return self.tap(label, options, screen, isConnected)
        case .rated(let stars): return self.rate(stars, screen, isConnected)
        case .locationSent(let latitude, let longitude, let title):
            return [Self.location(latitude, longitude, title: title)]
        case .placeSet(let place):
            self.place = place
            return []
        }
    }

    /// Returns why a button cannot be tapped, or nil if it can.
    func obstacle(to button: Screen.Button, isConnected: Bool) -> String? {
        self.rule.obstacle(to: button.action, isPast: button.isPast, isConnected: isConnected)
    }

    // MARK: Buttons

    private func tap(
        _ label: String, _ options: JSONObject, _ screen: Screen, _ isConnected: Bool
    ) -> [ClientAction] {
        let candidates = screen.buttons.filter { button in
            (button.action.label ?? button.action.imageURL) == label
                && (options["card"]?.string.map { $0 == button.card } ?? true)
                && (options["number"]?.integer.map { $0 == button.number } ?? true)
        }
        guard let first = candidates.first else {
            if let link = Self.link(ofCard: label, options, screen) { return [.openLink(link, inWebview: nil)] }
            let there = screen.buttons.prefix(10).compactMap(\.action.label).map { "\"\($0)\"" }
            let list = there.isEmpty ? "is none" : "are " + there.joined(separator: ", ")
            return [.answer(.notOffered("no button \"\(label)\" is on the screen; there \(list)"))]
        }
        let usable = candidates.filter { self.obstacle(to: $0, isConnected: isConnected) == nil }
        // What the user has not answered yet is meant, if such a button is there at all.
        let current = usable.filter { !$0.isPast }
        let choice = current.isEmpty ? usable : current
        guard let button = choice.first else {
            let obstacle = self.obstacle(to: first, isConnected: isConnected) ?? ""
            return [.answer(.notOffered("the button \"\(label)\" cannot be tapped: \(obstacle)"))]
        }
        // Buttons that do the same are one to a user.
        guard choice.allSatisfy({ $0.action.members == button.action.members }) else {
            return [.answer(.refused(Self.ambiguity(of: label, among: choice)))]
        }
        return self.carryOut(button.action, number: button.number)
    }

    /// The page that a tap on a card itself opens, by the card's title; the latest one that has a page.
    private static func link(ofCard title: String, _ options: JSONObject, _ screen: Screen) -> String? {
        for item in screen.items.reversed()
        where options["number"]?.integer.map({ $0 == item.number }) ?? true {
            guard case .card(let message) = item.payload else { continue }
            if let url = message.cards.first(where: { $0.title == title && $0.url != nil })?.url { return url }
        }
        return nil
    }

    /// Returns what to say of a label that several buttons have.
    private static func ambiguity(of label: String, among buttons: [Screen.Button]) -> String {
        let places = buttons.prefix(10).map { button in
            "{ number = \(button.number)" + (button.card.map { ", card = \"\($0)\"" } ?? "") + " }"
        }
        return "\(buttons.count) buttons are called \"\(label)\"; say which one is meant with one of the options "
            + places.joined(separator: ", ")
    }

    /// Taps a star of the latest rating.
    private func rate(_ stars: Int64, _ screen: Screen, _ isConnected: Bool) -> [ClientAction] {
        guard let rating = screen.items.last(where: { $0.payload.content.channelExtensions.isStarRating }) else {
            return [.answer(.notOffered("no rating by stars is on the screen"))]
        }
        let actions = rating.payload.content.actions
        guard 1...Int64(max(actions.count, 1)) ~= stars, Int(stars) <= actions.count else {
            return [.answer(.refused("the rating takes from 1 to \(actions.count) stars, not \(stars)"))]
        }
        let action = actions[Int(stars) - 1]
        if let obstacle = self.rule.obstacle(to: action, isPast: rating.isPast, isConnected: isConnected) {
            return [.answer(.notOffered("the star cannot be tapped: \(obstacle)"))]
        }
        let label = AccessibilityLabels(strings: self.strings).star(Int(stars))
        return self.carryOut(action, number: rating.number) + [.answer(.done(.string(label)))]
    }

    private func carryOut(_ action: MessageAction, number: Int64) -> [ClientAction] {
        switch action.kind {
        case .postback:
            var payload: JSONObject = ["type": "postback", "postback": action.postback ?? .null]
            payload["text"] = action.label.map { .string($0) }
            return [.send(Outgoing(payload, kind: .postback(action: action.members)))]
        case .location: return [self.shareDevicePlace()]
        case .submitForm: return [.submitForm(number: number, action)]
        case .url: return [.openLink(action.url ?? "", inWebview: nil)]
        case .webview: return [.openLink(action.url ?? "", inWebview: true)]
        case .popup: return action.popupContent.map { [.showPopup($0)] } ?? []
        case .call: return [Self.performed(action, ["phone_number": .string(action.phoneNumber ?? "")])]
        case .share: return [Self.performed(action, [:])]
        case .client: return [Self.performed(action, ["name": .string(action.clientActionType ?? "")])]
        case nil: return []
        }
    }

    /// The event of an action that is carried out outside of the chat.
    private static func performed(_ action: MessageAction, _ more: JSONObject) -> ClientAction {
        let fields: JSONObject = ["type": .string(action.kind?.rawValue ?? "")]
        return .emit(.actionPerformed, fields.merging(more), raw: action.json)
    }

    // MARK: Places

    private func shareDevicePlace() -> ClientAction {
        switch self.place {
        case .unset: .fail("LocationNotAvailable", self.strings.text("odais_location_fetch_error"))
        case .denied: .fail("LocationNotAvailable", self.strings.text("odais_location_permission_denied"))
        case .disabled: .fail("LocationNoAPI", self.strings.text("odais_location_disabled"))
        // Coordinates of the device are rounded to five decimals.
        case .known(let latitude, let longitude):
            Self.location(latitude, longitude, title: nil) { ($0 * 100_000).rounded() / 100_000 }
        }
    }

    private static func location(
        _ latitude: Double, _ longitude: Double, title: String?, rounding: (Double) -> Double = { $0 }
    ) -> ClientAction {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
            return .fail("LocationInvalid", "Latitudes go from -90 to 90, longitudes from -180 to 180.")
        }
        var location: JSONObject = [
            "latitude": .double(rounding(latitude)), "longitude": .double(rounding(longitude)),
        ]
        location["title"] = title.map { .string($0) }
        return .send(Outgoing(["type": "location", "location": .object(location)], kind: .visible))
    }
}
