import JSON

/// Digests of files by their paths, as an object.
enum FileDigests {
    static func json(_ files: [String: String]) -> JSONValue {
        var members = JSONObject()
        for (name, digest) in files.sorted(by: { $0.key < $1.key }) { members[name] = .string(digest) }
        return .object(members)
    }

    static func read(_ json: JSONValue) -> [String: String]? {
        json.object.map { members in
            Dictionary(
                members.compactMap { name, value in value.string.map { (name, $0) } }, uniquingKeysWith: { $1 })
        }
    }
}
