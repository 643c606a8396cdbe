import JSON
import Transport

extension UnfinishedMessage {
    /// Reads those of which a machine or the prelude tells: a list of objects with `text`, `is_line` and
    /// `predecessors`.
    static func list(_ items: JSONValue?) -> [UnfinishedMessage] {
        items?.array?.compactMap { item in
            item["text"]?.string.map {
                UnfinishedMessage(
                    text: $0, isLine: item["is_line"]?.bool == true,
                    predecessors: Int(clamping: item["predecessors"]?.integer ?? 0))
            }
        } ?? []
    }
}
