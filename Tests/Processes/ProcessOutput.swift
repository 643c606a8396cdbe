import Foundation
import Synchronization

/// What a process writes.
///
/// A thread of its own takes it all the time: a pipe that nobody reads is full one day, and a process that prints how
/// it gets on stands still then, until somebody who waits for something else of it gives up.
public final class ProcessOutput: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        /// How much of it lines have been looked for in.
        var place = 0
        var hasEnded = false
    }

    private let state = Mutex(State())

    /// Takes what comes from a descriptor, and closes it, until everybody has closed the other end.
    init(takenFrom descriptor: Int32) {
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                self.state.withLock { $0.bytes += buffer[..<count] }
            }
            close(descriptor)
            self.state.withLock { $0.hasEnded = true }
        }
    }

    /// Waits for a line that contains a text, each one if there is none, and returns it; nil if the output ends before.
    public func line(containing text: String = "") -> String? {
        while true {
            let (line, hasEnded) = self.state.withLock { state -> (String?, Bool) in
                while let end = state.bytes[state.place...].firstIndex(of: 0x0A) {
                    let line = String(decoding: state.bytes[state.place..<end], as: UTF8.self)
                    state.place = end + 1
                    if text.isEmpty || line.contains(text) { return (line, false) }
                }
                return (nil, state.hasEnded)
            }
            if line != nil || hasEnded { return line }
            usleep(10_000)
        }
    }

    /// Waits for the end, and returns what stands behind the last line that was found.
    public func rest() -> String {
        while true {
            let rest = self.state.withLock { state -> String? in
                guard state.hasEnded else { return nil }
                defer { state.place = state.bytes.count }
                return String(decoding: state.bytes[state.place...], as: UTF8.self)
            }
            if let rest { return rest }
            usleep(10_000)
        }
    }
}
