import ArgumentParser
import Metrics

/// What the level of a search for the capacity is a number of.
enum CapacityMeasure: String, CaseIterable, ExpressibleByArgument {
    case users
    case rate

    /// The level as people read it.
    func text(_ level: Int) -> String {
        switch self {
        case .users: NumberText.counted(level, "user")
        case .rate: NumberText.counted(level, "arrival/s", "arrivals/s")
        }
    }
}
