/// Brackets the delivery of what some connections have brought, so that what it woke runs at once and not at the end of
/// the turn.
///
/// Where a thousand connections have bytes, reading all of them before the first is worked on would bring the state of
/// each into the caches twice; see ``ArrivedBytes`` for why it is some and not each for itself.
public protocol CallbackScope: AnyObject {
    /// Bytes are about to be delivered; never called inside of another delivery.
    func enter()

    /// They have been delivered; what became ready may run now.
    ///
    /// - Parameter deliveries: How many connections have brought some, each counted as often as it was read.
    func leave(after deliveries: Int)
}
