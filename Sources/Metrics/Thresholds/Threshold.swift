/// A bound that a figure of a load run must keep, written as `p99(delivery) < 200ms during "steady"`.
///
/// ```
/// threshold = function "(" metric [ "{" tag { "," tag } "}" ] ")" [ "vs" "baseline" ] operator bound { scope }
/// function  = "p" number | "min" | "max" | "mean" | "avg" | "median" | "count" | "sum" | "rate" | "last"
/// tag       = name "=" value
/// operator  = "<" | "<=" | ">" | ">=" | "==" | "!="
/// bound     = number [ "us" | "ms" | "s" | "m" | "h" | "%" | "/s" | "B" | "kB" | "MB" | "GB" ]
/// scope     = "during" phase | "over" "last" duration | "every" duration "window" | "abort" [ "after" duration ]
/// ```
public struct Threshold: Hashable, Sendable {
    /// What is made of the samples.
    enum Function: Hashable, Sendable {
        case percentile(Double)
        case minimum
        case maximum
        case mean
        /// How many samples a trend has, or how much a counter or the cases of a rate grew.
        case count
        case sum
        /// The share of cases of a rate, or how many samples or how much growth there is in a second.
        case rate
        /// The level of a gauge.
        case last
    }

    /// How the figure must stand to the bound.
    enum Comparator: String, Hashable, Sendable, CaseIterable {
        case atMost = "<="
        case atLeast = ">="
        case equal = "=="
        case different = "!="
        case below = "<"
        case above = ">"

        func holds(_ value: Double, _ bound: Double) -> Bool {
            switch self {
            case .atMost: value <= bound
            case .atLeast: value >= bound
            case .equal: value == bound
            case .different: value != bound
            case .below: value < bound
            case .above: value > bound
            }
        }
    }

    /// Which part of the time counts.
    enum Window: Hashable, Sendable {
        /// All of it.
        case whole
        /// So many microseconds before the moment of judging, which after the run is its end.
        case last(Int64)
        /// Each window of so many microseconds by itself.
        case every(Int64)
    }

    /// The threshold as it was written.
    public let text: String
    let function: Function
    /// The metric's name.
    public let metric: String
    /// Which samples of the metric count: those that have all of these tags.
    public let tags: [Tag]
    let comparator: Comparator
    /// In the unit of the metric; for shares a fraction, for speeds per second, against a baseline the relative change.
    let bound: Double
    /// Whether the bound is a change from an earlier run.
    public let isAgainstBaseline: Bool
    /// The phase that alone counts.
    public let phase: String?
    let window: Window
    /// How long after the start of the run a failure may end it, in microseconds; nil if it must not.
    let abortAfter: Int64?

    /// Whether it looks at the last part of the run alone; one that may end the run looks at each part, for it is asked
    /// all the time.
    var isAboutEnd: Bool { if case .last = self.window { !self.canAbort } else { false } }

    /// Whether it says how much may be at most.
    var boundsFromAbove: Bool { [.below, .atMost, .equal].contains(self.comparator) }

    /// Whether a failure ends the run.
    public var canAbort: Bool { self.abortAfter != nil }
}
