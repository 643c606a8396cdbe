import JSON

/// The messages in a whole answer.
enum Messages {
    /// One message: its text, the value that it stands in, and why a stream of OpenAI's API says that it ended.
    struct Message: Hashable, Sendable {
        var text: String?
        var json: JSONValue?
        var finishReason: String?
    }

    /// Finds the messages.
    ///
    /// Without a path to messages only values that have a text are some: most JSON is no chat. With one, whatever it
    /// leads to is a message, such as an image without text.
    static func found(in body: JSONValue?, _ options: RequestOptions) -> [Message] {
        guard let body else { return [] }
        let values = options.messages?.values(in: body) ?? body.array ?? [body]
        return values.compactMap { value in
            let text = options.text.values(in: value).compactMap(\.string).first
            return text == nil && options.messages == nil ? nil : Message(text: text, json: value)
        }
    }
}
