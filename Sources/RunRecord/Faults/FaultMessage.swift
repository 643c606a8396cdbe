import JSON

/// What a process that plays scenarios with faults tells the one that started it, in a line of JSON each.
public enum FaultMessage: Hashable, Sendable {
    /// The scenario passes without a fault; the plays at its points follow.
    case began(systems: [String], points: [FaultPlace], pointCount: Int, playCount: Int)
    /// It does not pass without one, but comes to this because of a problem of a type.
    case leftOut(Outcome, type: String, reason: String)
    /// An execution with a fault begins.
    case plays(FaultName)
    /// It has ended.
    case played(FaultCell)
    /// All plays of the scenario have ended.
    case ended
    /// The process ends because what plays cannot be stopped.
    case hangs(String)

    /// The line, without its end.
    public var line: String {
        let json: JSONValue
        switch self {
        case .began(let systems, let points, let pointCount, let playCount):
            json = [
                "news": "began", "systems": .array(systems.map { .string($0) }),
                "points": .array(points.map(\.json)), "point_count": .integer(Int64(pointCount)),
                "play_count": .integer(Int64(playCount)),
            ]
        case .leftOut(let outcome, let type, let reason):
            json = [
                "news": "left_out", "outcome": .string(outcome.name), "type": .string(type), "reason": .string(reason),
            ]
        case .plays(let fault): json = ["news": "plays", "fault": .string("\(fault)")]
        case .played(let cell): json = ["news": "played", "play": cell.json]
        case .ended: json = ["news": "ended"]
        case .hangs(let reason): json = ["news": "hangs", "reason": .string(reason)]
        }
        return json.description
    }

    /// Reads a line; nil if it is none of these, as what a script prints.
    public init?(line: String) {
        guard let json = try? JSONReader.read(line) else { return nil }
        switch json["news"]?.string {
        case "began":
            guard let points = json["points"]?.array, let pointCount = json["point_count"]?.integer,
                let playCount = json["play_count"]?.integer
            else { return nil }
            self = .began(
                systems: json["systems"]?.array?.compactMap(\.string) ?? [],
                points: points.compactMap { FaultPlace($0) }, pointCount: Int(pointCount), playCount: Int(playCount))
        case "left_out":
            let reason = json["reason"]?.string ?? ""
            // What passes is not left out.
            guard let outcome = json["outcome"]?.string.flatMap({ Outcome(name: $0, reason: reason) }),
                outcome != .passed
            else { return nil }
            self = .leftOut(outcome, type: json["type"]?.string ?? "", reason: reason)
        case "plays":
            guard let fault = json["fault"]?.string.flatMap({ FaultName($0) }) else { return nil }
            self = .plays(fault)
        case "played":
            guard let cell = json["play"].flatMap({ FaultCell($0) }) else { return nil }
            self = .played(cell)
        case "ended": self = .ended
        case "hangs": self = .hangs(json["reason"]?.string ?? "")
        default: return nil
        }
    }
}
