import JSON

/// An endpoint of chat completions and embeddings that answers by plain rules: a text is polite if it says please, and
/// its embedding counts its letters.
final class PlantedModel: Sendable {
    let server: RawServer

    /// - Parameters:
    ///   - model: What it says has answered.
    ///   - models: The same by the text that a judge is asked about; `model` of all others.
    ///   - members: What its answers have instead, by the names of their members; null for nothing.
    ///   - content: What a judge says; by its rule unless given. Gets the number of the vote and the question.
    init(
        model: String = "planted-1", models: [String: String] = [:], members: JSONObject = [:],
        content: (@Sendable (Int64, JSONValue) -> String)? = nil
    ) throws {
        self.server = try RawServer(
            .replies { request in
                let body = request.split(separator: "\r\n\r\n", maxSplits: 1).last.map(String.init) ?? ""
                guard let object = try? JSONReader.read(body) else {
                    return Self.answer("{}", status: "400 Bad Request")
                }
                let result: JSONValue
                if let input = object["input"]?.array {
                    result = [
                        "model": .string(model), "usage": ["total_tokens": 7],
                        "data": .array(
                            input.enumerated().map { index, text in
                                [
                                    "index": .integer(Int64(index)),
                                    "embedding": .array(Self.embedding(text.string ?? "").map { .double($0) }),
                                ]
                            }),
                    ]
                } else {
                    let question = object["messages"]?[1]?["content"]?.string ?? ""
                    let asked = (try? JSONReader.read(question)) ?? .null
                    let vote = object["seed"]?.integer ?? 0
                    let text = content?(vote, asked) ?? Self.verdict(asked["text"]?.string?.contains("please") ?? false)
                    result = [
                        "model": .string(models[asked["text"]?.string ?? ""] ?? model), "usage": ["total_tokens": 100],
                        "choices": [["message": ["role": "assistant", "content": .string(text)]]],
                    ]
                }
                let answer = (result.object ?? [:]).merging(members)
                return Self.answer(JSONValue.object(answer).description, status: "200 OK")
            })
    }

    deinit { self.server.close() }

    static func verdict(_ verdict: Bool) -> String { #"{"verdict":\#(verdict),"reason":"the word please"}"# }

    private static func answer(_ body: String, status: String) -> [UInt8] {
        Array(
            "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                .utf8)
    }

    private static func embedding(_ text: String) -> [Double] {
        "abcdefghijklmnopqrstuvwxyz".map { letter in Double(text.lowercased().count { $0 == letter }) }
    }
}
