import JSON

/// Digests of files by their paths, as an object.
enum FileDigests {
    static func json(_ files: [String: String]) -> JSONValue {
        var members = JSONObject()
        for (name, digest) in files.sorted(by: { $0.key < $1.key }) { members[name] = .string(digest) }
        return .object(members)
    }

    /// Returns nil if one of them is none: files that were left out would not be compared.
    static func read(_ json: JSONValue) -> [String: String]? {
        guard let members = json.object else { return nil }
        var files: [String: String] = [:]
        for (name, value) in members {
            guard let digest = value.string else { return nil }
            files[name] = digest
        }
        return files
    }
}
