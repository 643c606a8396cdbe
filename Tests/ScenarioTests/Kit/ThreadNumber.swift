import Foundation
import Synchronization

/// Tells threads apart, also those that have ended: the next thread may have their addresses.
enum ThreadNumber {
    private static let key = "repartee.number"
    private static let last = Atomic(0)

    /// The number of the thread that asks; no other one ever has it.
    static var current: Int {
        let values = Thread.current.threadDictionary
        if let number = values[Self.key] as? Int { return number }
        let number = Self.last.add(1, ordering: .relaxed).newValue
        values[Self.key] = number
        return number
    }
}
