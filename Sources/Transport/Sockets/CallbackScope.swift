/// Brackets each delivery of bytes, so that what they woke runs at once and not at the end of the turn.
///
/// Where a thousand connections have bytes, reading all of them before the first is worked on would bring the state of
/// each into the caches twice.
public protocol CallbackScope: AnyObject {
    /// Bytes are about to be delivered; never called inside of another delivery.
    func enter()

    /// They have been delivered; what became ready may run now.
    func leave()
}
