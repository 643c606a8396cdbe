import JSON

/// What the process that started another one asks it to play, in a line of JSON.
public struct FaultRequest: Hashable, Sendable {
    /// The place of the scenario among those that both have chosen.
    public var index: Int

    /// Its name, for a script that has changed meanwhile.
    public var id: String

    /// How many of its plays have been played before.
    public var skipping: Int

    /// Creates a request.
    public init(index: Int, id: String, skipping: Int) {
        self.index = index
        self.id = id
        self.skipping = skipping
    }

    /// The line, without its end.
    public var line: String {
        let json: JSONValue = [
            "index": .integer(Int64(self.index)), "id": .string(self.id), "skipping": .integer(Int64(self.skipping)),
        ]
        return json.description
    }

    /// Reads a line.
    public init?(line: String) {
        guard let json = try? JSONReader.read(line), let index = json["index"]?.integer,
            let id = json["id"]?.string, let skipping = json["skipping"]?.integer
        else { return nil }
        self.init(index: Int(index), id: id, skipping: Int(skipping))
    }
}
