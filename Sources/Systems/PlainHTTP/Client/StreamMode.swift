import JSON

/// What the pieces of a streamed answer are to each other.
enum StreamMode: String, CaseIterable, Sendable {
    /// Each piece adds text to the answer, as OpenAI's chat completions do.
    case deltas
    /// Each piece has the whole text so far, as Gradio's do.
    case cumulative
    /// Each piece is a message of its own, as Rasa's stream of JSON lines does.
    case messages

    /// The mode that the format suggests.
    init(of format: StreamFormat) {
        self = format == .events ? .deltas : .messages
    }

    /// Where the text stands in a piece, unless the options say otherwise.
    ///
    /// OpenAI's API reference, “The chat completion chunk object”; Gradio's guide “Querying Gradio Apps with Curl”,
    /// where the data is the list of outputs; Rasa's REST channel.
    var piece: JSONPath {
        switch self {
        case .deltas: .known("$.choices[0].delta.content")
        case .cumulative: .known("$[0]")
        case .messages: .known("$.text")
        }
    }

    /// The data that ends a stream of server-sent events, unless the options say otherwise.
    var done: String? { self == .deltas ? "[DONE]" : nil }

    /// The server-sent event that ends a stream, unless the options say otherwise.
    var doneEvent: String? { self == .cumulative ? "complete" : nil }
}
