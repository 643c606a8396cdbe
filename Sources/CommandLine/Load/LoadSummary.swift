import Load
import Metrics
import RunRecord

/// What a load run came to, and how the process ends for it.
struct LoadSummary {
    let totals: LoadTotals
    /// What this process knows beside the result, if it played the run itself.
    let conclusion: LoadConclusion?
    let thresholds: [ThresholdOutcome]
    /// Thresholds that the figures cannot be read for, such as those about a metric of the script that nothing
    /// recorded.
    let unreadable: [ThresholdError]
    let health: HealthVerdict
    let deliveries: DeliveryAccount

    /// Whether the figures are those of the whole run and not of one of its parts.
    let isWhole: Bool

    /// Whether this is a part of a run that cannot tell what became of texts, for its rooms have members in others.
    private let sharesRooms: Bool

    /// - Parameters:
    ///   - isWhole: Whether the figures are those of the whole run and not of one of its parts.
    ///   - sharesRooms: Whether rooms have members in several parts.
    init(
        totals: LoadTotals, conclusion: LoadConclusion?, baseline: LoadTotals?, isWhole: Bool,
        sharesRooms: Bool = false, isJudgedOnHealth: Bool
    ) {
        self.totals = totals
        self.conclusion = conclusion
        self.isWhole = isWhole
        self.sharesRooms = !isWhole && sharesRooms
        // A part of a run cannot tell whether the whole one keeps its bounds.
        (self.thresholds, self.unreadable) =
            isWhole ? totals.thresholds(baseline: baseline, metrics: BuiltInMetric.allCases.map(\.metric)) : ([], [])
        self.health = isJudgedOnHealth ? totals.healthVerdict : GeneratorHealth().verdict()
        self.deliveries = totals.deliveries
    }

    /// How the process ends: what was wrong first decides.
    var status: ExitStatus {
        if self.totals.ending == .interrupted { return .interrupted }
        if self.totals.ending == .unfinished { return .harness }
        // What a mistake of the script brings about, such as a threshold that is broken, says nothing of the server,
        // nor of the generator, which has played what it was given.
        let isMistaken = self.causes.contains(where: \.isMistake)
        if self.health.state == .invalid { return isMistaken ? .script : .harness }
        // A threshold judges a server that was there.
        let broken = self.totals.isUnreached ? ExitStatus.harness : .failed
        if self.totals.ending == .mistaken { return .script }
        if case .aborted = self.totals.ending { return isMistaken ? .script : broken }
        if self.causes.contains(where: \.isHarness) { return .harness }
        if isMistaken { return .script }
        switch self.emptiness {
        case .noIteration?, .nobodyBegan?: return .failed
        // Another part of the run may have something else; what users share may have failed at its end.
        case .allSkipped?: if self.isWhole, self.causes.isEmpty { return .nothingToRun }
        case .targetUntouched?: if self.isWhole { return .failed }
        case nil: break
        }
        // What a part of a run may leave to the judgement of the whole one it does not judge itself.
        guard self.isJudged else { return .success }
        guard self.unreadable.isEmpty, self.thresholds.allSatisfy({ $0.verdict == .passed }) else { return broken }
        if self.causes.contains(where: \.isError) { return .script }
        guard self.totals.keptBackProblem == nil else { return broken }
        return self.causes.isEmpty && self.isDelivered && self.isAcknowledged ? .success : .failed
    }

    /// Whether failures and texts that went wrong are judged here: of a part of a run thresholds may say how many may
    /// be, once the results of all parts are merged.
    private var isJudged: Bool { self.isWhole || self.totals.identity.thresholds.isEmpty }

    /// What went wrong that nothing answers for.
    private var causes: [FailureCause] { self.isWhole ? self.totals.unjudgedCauses : self.totals.causes }

    /// What became of texts, and what was made of it; nil where there were none.
    var deliveryLine: String? {
        let account = self.deliveries
        guard account.sent > 0 || !account.isClean else { return nil }
        let verdict = self.deliveryVerdict.map { ": \($0)" } ?? ""
        guard self.sharesRooms else { return account.line + verdict }
        let received = account.delivered.saturatingAdd(account.unexpected)
        let others = self.partDefects.defectLine
        return
            "\(NumberText.counted(account.sent, "text")) sent and \(NumberText.grouped(received)) received in this shard"
            + (others.isEmpty ? "" : ", " + others) + verdict
            + "; what became of them is judged once the results of all shards are merged"
    }

    /// Whose texts did not go the way they should, as far as that is known here.
    var defectLines: [String] { self.sharesRooms ? [] : self.totals.defectLines(limit: 5) }

    /// What went wrong with texts as far as it can be told here: what is sent in one part of a run and comes in another
    /// is known to neither.
    private var partDefects: DeliveryAccount {
        var account = self.deliveries
        account.unexpected = 0
        if self.sharesRooms { account.lost = 0 }
        return account
    }

    /// What became of texts, as other programs get it: what a part of a run cannot tell is no defect there.
    var knownDeliveries: DeliveryAccount { self.sharesRooms ? self.partDefects : self.deliveries }

    /// Whether texts went the way they should, or a threshold says how many need not.
    private var isDelivered: Bool {
        guard self.isWhole else { return self.partDefects.isCleanInPart }
        return self.deliveries.isClean || !self.totals.deliveryThresholds.isEmpty
    }

    /// Whether all texts were acknowledged that were to be, or a threshold says how many need not.
    private var isAcknowledged: Bool {
        self.totals.unacknowledged == 0 || self.isWhole && !self.totals.acknowledgementThresholds.isEmpty
    }

    /// Whether the run fails because of what became of texts or of their acknowledgements.
    var haveTextsFailed: Bool {
        self.totals.ending == .finished && self.isJudged && !(self.isDelivered && self.isAcknowledged)
    }

    /// How many texts were never acknowledged, and what was made of it; nil if all were that were to be.
    var acknowledgementLine: String? {
        guard let line = self.totals.unacknowledgedLine else { return nil }
        guard self.totals.ending == .finished, self.isJudged else { return line }
        guard self.isAcknowledged else { return line + ": failed" }
        return line + ": judged by " + self.totals.acknowledgementThresholds.joined(separator: ", ")
    }

    /// What was made of texts that did not go the way they should; nil where nothing is, and if all did.
    var deliveryVerdict: String? {
        guard self.totals.ending == .finished, self.isJudged, !self.deliveries.isClean else { return nil }
        guard self.isDelivered else { return "failed" }
        let judges = self.isWhole ? self.totals.deliveryThresholds : []
        return judges.isEmpty ? nil : "judged by " + judges.joined(separator: ", ")
    }

    /// Why the process does not end with 0, in one line with the word for how it ends; nil if it does.
    var verdict: (word: String, reasons: String)? {
        let word: String
        switch self.status {
        case .success: return nil
        case .failed: word = "failed"
        case .interrupted: word = "interrupted"
        case .nothingToRun: word = "skipped"
        default: word = "error"
        }
        return (word, self.reasons.joined(separator: "; "))
    }

    /// What of the run is not as it should be.
    private var reasons: [String] {
        var reasons: [String] = []
        switch self.totals.ending {
        case .finished: break
        case .interrupted: reasons.append("before its end")
        case .unfinished: reasons.append(self.totals.unfinishedProblem ?? "")
        case .aborted: reasons.append("ended by a threshold")
        case .mistaken: reasons.append("ended early, for every iteration was a mistake of the script")
        }
        if self.health.state == .invalid { reasons.append("generator: \(self.health.reasons.first ?? "invalid")") }
        if let emptiness, self.isWhole || emptiness == .noIteration { reasons.append(emptiness.message) }
        let causes = self.causes.filter { self.isJudged || $0.isMistake || $0.isHarness }
        reasons += causes.prefix(Self.reasonLimit).map { "\(NumberText.grouped($0.count)) × \($0.kind)" }
        if !causes.isEmpty, let problem = self.totals.silenceProblem {
            reasons.append(problem)
        } else if self.isJudged, let problem = self.totals.keptBackProblem {
            reasons.append(problem)
        }
        if self.totals.isUnreached, !causes.contains(where: \.isHarness) {
            reasons.append("no user could reach a server")
        }
        if causes.count > Self.reasonLimit {
            reasons.append(Self.others(causes.count, one: "kind of problem", many: "kinds of problems"))
        }
        let broken =
            self.thresholds.filter { $0.verdict != .passed }.map(\.threshold.text) + self.unreadable.map(\.text)
        reasons += broken.prefix(Self.reasonLimit)
        if broken.count > Self.reasonLimit {
            reasons.append(Self.others(broken.count, one: "threshold", many: "thresholds"))
        }
        if self.isJudged, !self.isDelivered {
            let ledger = self.totals.ledger
            let remedy =
                (ledger.straysOutsideRooms ? Self.roomRemedy : "")
                + (ledger.losesAmongSeveral ? Self.severalRemedy : "")
            let account = self.isWhole ? self.deliveries : self.partDefects
            reasons.append("deliveries: \(account.defectLine)\(remedy)")
        }
        if self.isJudged, !self.isAcknowledged {
            reasons.append("\(NumberText.grouped(self.totals.unacknowledged)) unacknowledged")
        }
        return reasons
    }

    /// What makes users addressees of each other.
    private static let roomRemedy =
        " (a text outside a room is for nobody but the other side of its own conversation; where users talk to each "
        + "other, declare who does in the workload: rooms = { size = 10 })"

    /// What to do about texts that were for some only of those whom they are due at.
    private static let severalRemedy =
        " (a text is due at each other client of its conversation, or member of its room; where some are for a few of "
        + "them only, as private messages are, --no-ledger follows none)"

    /// So many causes and thresholds are named in the line that says why; all of them stand above it.
    private static let reasonLimit = 3

    /// Returns how many of a sort are not told one by one.
    private static func others(_ count: Int, one: String, many: String) -> String {
        NumberText.counted(count - Self.reasonLimit, "other \(one)", "other \(many)")
    }

    /// Why the run has shown nothing, if it came to its end and has shown nothing.
    var emptiness: RunEmptiness? { self.totals.ending == .finished ? self.totals.emptiness : nil }
}
