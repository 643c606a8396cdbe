import Machines
import Transport

extension LoadRecorder {
    /// Records what a connection or a request took.
    ///
    /// - Parameter role: The role of the user whose it was; nil for what several users share.
    func record(_ measurement: ClientMeasurement, role: String?, at now: Instant) {
        switch measurement {
        case .answered(let request):
            self.record(.request, named: request.name, request.duration, role: role, at: now)
            self.answered(request.status, role: role, at: now)
        case .unanswered: self.record(.httpFailed, 1, role: role, at: now)
        case .opened(let times): self.record(times, role: role, at: now)
        case .upgraded(let duration): self.record(.upgrade, duration, role: role, at: now)
        case .compressed(let volume):
            self.record(.compressedWire, volume.wire, role: role, at: now)
            self.record(.compressedText, volume.text, role: role, at: now)
        case .repeated: self.record(.httpRepeated, 1, role: role, at: now)
        case .reused: self.record(.reused, 1, role: role, at: now)
        }
    }
}
