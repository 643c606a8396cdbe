/// How much of what goes over the wire is put into the run record.
public enum WireCaptureLevel: String, CaseIterable, Sendable {
    /// Nothing.
    case none
    /// Requests, responses and WebSocket messages.
    case messages
    /// Those, and every byte as it went over the connection, before encryption.
    case bytes
}
