import JSON
import Machines

/// Random JSON whose names and words are those of the message model, so that it reaches deep into the decoders.
enum RandomJSON {
    private static let names = [
        "type", "text", "actions", "globalActions", "fields", "forms", "formRows", "columns", "cards", "label", "url",
        "latitude", "location", "headings", "rows", "displayType", "options", "postback", "channelExtensions",
        "source", "messagePayload", "state", "streamState", "status", "paginationInfo", "totalCount", "rangeSize",
    ]
    private static let words = [
        "text", "card", "table", "form", "tableForm", "editForm", "postback", "textStream", "start", "BOT", "AGENT",
        "toggle", "textInput", "RESPONDING", "stars", "true", "", "location",
    ]

    static func object(depth: Int, using random: inout RandomSource) -> JSONObject {
        var members = JSONObject()
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            members[names.randomElement(using: &random)!] = value(depth: depth - 1, using: &random)
        }
        return members
    }

    static func value(depth: Int, using random: inout RandomSource) -> JSONValue {
        switch Int.random(in: 0...(depth > 0 ? 7 : 5), using: &random) {
        case 0: .null
        case 1: .bool(Bool.random(using: &random))
        case 2: .integer(Int64.random(in: .min ... .max, using: &random))
        case 3: .double(Double.random(in: -1e9...1e9, using: &random))
        case 4, 5: .string(words.randomElement(using: &random)!)
        case 6: .array((0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth: depth - 1, using: &random) })
        default: .object(object(depth: depth, using: &random))
        }
    }
}
