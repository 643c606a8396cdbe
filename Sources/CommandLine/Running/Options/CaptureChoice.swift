import ArgumentParser
import Scenario

/// How much of the wire the command line asks for.
enum CaptureChoice: String, CaseIterable, ExpressibleByArgument {
    case none, messages, bytes

    var level: WireCaptureLevel {
        switch self {
        case .none: .none
        case .messages: .messages
        case .bytes: .bytes
        }
    }
}
