import HTTPTypes
import JSON
import Machines

/// The fields by which scripts see an answer.
enum AnswerFields {
    /// Returns `body`, `size` and, as far as they apply, `json` and `bytes` (base64).
    static func body(_ bytes: [UInt8]) -> JSONObject {
        var fields: JSONObject = ["size": .integer(Int64(bytes.count))]
        if let text = String(validating: bytes, as: UTF8.self) {
            fields["body"] = .string(text)
            fields["json"] = try? JSONReader.readUnambiguous(bytes)
        } else {
            fields["body"] = .string(String(decoding: bytes, as: UTF8.self))
            fields["bytes"] = .string(Base64.encode(bytes))
        }
        return fields
    }

    /// Returns the event of a piece of a stream.
    static func event(of piece: StreamReader.Piece, _ common: JSONObject) -> ChatEvent {
        var fields = common
        fields["text"] = piece.text.map { .string($0) }
        if piece.replaces { fields["replaces"] = true }
        fields["event"] = piece.event.map { .string($0) }
        fields["id"] = piece.id.map { .string($0) }
        fields["retry"] = piece.retry?.json
        fields["data"] = .string(piece.data)
        fields["json"] = piece.json
        return ChatEvent(piece.text == nil ? .chunk : .token, fields, raw: .string(piece.data))
    }
}
