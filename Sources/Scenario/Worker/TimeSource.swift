import Machines
import NIOCore

/// The one place that tells time to everything a worker runs.
struct TimeSource {
    private enum Kind {
        /// Time stands still until the worker moves it.
        case virtual(Instant)
        /// Time runs by the monotonic clock of the machine.
        case real(start: NIODeadline)
    }

    private var kind: Kind

    /// A time line that starts at zero and moves only by ``advance(to:)``.
    static let virtual = TimeSource(kind: .virtual(.start))

    /// A time line that starts at zero now and follows the monotonic clock.
    static func real() -> TimeSource { TimeSource(kind: .real(start: .now())) }

    /// The monotonic clock of the machine in nanoseconds, for measuring what the process itself takes.
    static var monotonicNanoseconds: Int64 { Int64(clamping: NIODeadline.now().uptimeNanoseconds) }

    /// The current instant.
    var now: Instant {
        switch self.kind {
        case .virtual(let now): now
        case .real(let start): Instant(nanoseconds: (NIODeadline.now() - start).nanoseconds)
        }
    }

    /// Whether time moves only by ``advance(to:)``.
    var isVirtual: Bool {
        if case .virtual = self.kind { true } else { false }
    }

    /// Returns the instant of a point of the machine's monotonic clock, also before the start; virtual time has none.
    func instant(of deadline: NIODeadline) -> Instant? {
        if case .real(let start) = self.kind { Instant(nanoseconds: (deadline - start).nanoseconds) } else { nil }
    }

    /// Moves virtual time forward; real time moves by itself.
    mutating func advance(to instant: Instant) {
        if case .virtual(let now) = self.kind { self.kind = .virtual(max(now, instant)) }
    }

    /// Returns the deadline of an instant on the machine's monotonic clock; virtual time has none.
    func deadline(of instant: Instant) -> NIODeadline? {
        if case .real(let start) = self.kind { start + .nanoseconds(instant.nanoseconds) } else { nil }
    }
}
