import JSON

/// What kind of party a person is (`PersonType`).
enum PersonType: String, CaseIterable, Sendable {
    case undefined, visitor, `operator`, system
}

/// Someone who writes or types in a chat.
struct Person: Hashable, Sendable {
    /// The person's identifier.
    var id: String
    /// What kind of party it is.
    var type: PersonType
    /// The name to show.
    var name: String?
    /// Where the picture is.
    var imageURL: String?

    /// The person as scripts see it.
    var scriptValue: JSONValue {
        var members: JSONObject = ["type": .string(self.type.rawValue), "id": .string(self.id)]
        if let name = self.name { members["name"] = .string(name) }
        if let imageURL = self.imageURL { members["image_url"] = .string(imageURL) }
        return .object(members)
    }

    /// Takes over the members that an event carries; members that it leaves out keep their value.
    mutating func merge(_ values: JSONObject, includingImage: Bool = true) {
        if let type = values.text("PersonType") { self.type = PersonType(rawValue: type.lowercased()) ?? .undefined }
        if let name = values.text("Name") { self.name = name }
        if includingImage, let image = values.text("ImageURL") { self.imageURL = image }
    }
}
