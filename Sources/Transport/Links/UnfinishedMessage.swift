/// What has arrived of a message that is not whole.
public struct UnfinishedMessage: Hashable, Sendable {
    /// How much of what, in words.
    public let text: String

    /// Whether it is a line without its end, which the server may mean so: a prompt has none.
    public let isLine: Bool

    /// The same, with the connection that it is on.
    func on(_ connection: String) -> UnfinishedMessage {
        UnfinishedMessage(text: "\(self.text), on the \(connection)", isLine: self.isLine)
    }
}
