/// Where the mask of a frame stands that a codec of a client has just written.
///
/// A client masks each frame with a key of its own, so that nobody can read its bytes and nobody can tell a secret in
/// them. Whoever shows the bytes takes the mask off with this: the frame says the same, and stays whole.
public struct WrittenMask: Hashable, Sendable {
    /// Where the four bytes of the key begin in what was written; the payload follows them, up to the end.
    let keyStart: Int

    /// The key, its first byte lowest.
    let key: UInt32

    /// Takes the mask off: the key becomes zero and the payload what it was.
    func remove(from bytes: inout [UInt8]) {
        for index in self.keyStart..<self.keyStart + 4 { bytes[index] = 0 }
        var mask = WebSocketMask(self.key)
        mask.apply(to: &bytes, from: self.keyStart + 4)
    }
}
