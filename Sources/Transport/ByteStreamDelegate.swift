public import Machines

/// Hears what happens on a connection.
///
/// The order is: opened once (or not at all; again where encryption begins later), then received any number of times,
/// then end at most once, then closed exactly once unless the connection was aborted from this side.
public protocol ByteStreamDelegate: AnyObject {
    /// The connection is up, with encryption if any.
    func streamOpened()

    /// Bytes arrived; they are only valid during the call.
    func streamReceived(_ bytes: Span<UInt8>)

    /// The other side sends no more; this side still may.
    func streamReachedEnd()

    /// The connection is gone.
    ///
    /// - Parameter failure: Why it never opened or was lost; nil for an orderly end.
    func streamClosed(_ failure: TransportFailure?)
}
