import JSON
import Machines

/// The names and values of a form or a query as scripts see them.
enum FormFields {
    /// Reads the pairs of a form body or a query: a text by each name, a list of them where a name comes several times.
    static func object(_ text: some StringProtocol) -> JSONObject {
        var places: [String: Int] = [:]
        var fields: [(name: String, values: [JSONValue])] = []
        for (name, value) in FormEncoding.decode(text) {
            let place = places[name, default: fields.count]
            if place == fields.count {
                places[name] = place
                fields.append((name, []))
            }
            fields[place].values.append(.string(value))
        }
        return JSONObject(fields.map { ($0.name, $0.values.count == 1 ? $0.values[0] : .array($0.values)) })
    }
}
