/// Sees every byte and every decoded unit that drivers exchange.
///
/// The observer is called on the worker's thread, after the unit was sent or before it is handed to the machine. It
/// must not call back into the driver. Drivers without an observer make no records at all.
public protocol WireObserver: AnyObject {
    /// Whether bytes as they go over connections are wanted, too; if not, none are kept for a record.
    var wantsBytes: Bool { get }

    /// Takes a record; records of one connection come in the order of the wire.
    func observe(_ record: WireRecord)
}
