import JSON
import Machines
import RunRecord
import Secrets
import Transport

/// What came last to a client in Lua, which its handlers may have made nothing of, and what they woke in vain; of a
/// server in Lua, the answers to its own requests.
///
/// The events of such a client are what its script makes of what arrives. Where a script waits for something else, or
/// trips over it, only this says what the other side sent.
final class ClientArrivals {
    /// What arrived.
    private struct Arrival {
        let at: Instant

        /// What it is: one of ``ClientArrivals/handlers``.
        let handler: String
        let value: JSONValue

        /// The thread that handles it.
        let thread: Int?

        /// Whether that has told the scenario of it.
        var hasBroughtEvent = false

        /// Whether it came on a link: of an answer to a request, the function that waits for it makes what it likes.
        var isOfLink: Bool { ClientArrivals.linkHandlers.contains(self.handler) }

        /// How many bytes it is taken for: an answer is never kept for a handler that is still to come.
        var size: Int { self.value.string?.utf8.count ?? ClientArrivals.keptSize }
    }

    /// Something that was woken while nobody waited for it.
    private struct VainWake {
        let at: Instant
        let name: String

        /// How much had arrived before.
        let arrivalCount: Int
    }

    /// What messages on links reach, as the prelude calls it.
    private static let linkHandlers: Set = ["text", "line", "framed", "bytes"]

    /// What is kept of all that arrives: messages on links, and answers to requests, whole or in pieces.
    private static let handlers = ClientArrivals.linkHandlers.union(["response", "piece"])

    /// What reports call what reaches a handler of another name.
    private static let shownKinds = ["line": "text", "framed": "bytes"]

    /// So many are shown at most.
    private static let arrivalLimit = 5

    /// So many are kept at most, and of those that are not shown so many bytes: what comes at once waits for its
    /// handlers together, and the one that trips over its own has to be found.
    private static let (keptLimit, keptSize) = (64, 65_536)
    private static let wakeLimit = 32
    private static let refusalLimit = 3

    /// At most so many bytes of a body are kept for a user of a load test.
    private static let toldLimit = 4_096

    private unowned let execution: ScenarioExecution
    private var arrivals: [Arrival] = []

    /// How many bytes these are taken for.
    private var arrivalSize = 0
    private var vainWakes: [VainWake] = []

    /// The last answers to its requests that were not `ok`: what a script says of one need not be what it says itself.
    private var refusals: [Arrival] = []

    /// How much has arrived so far.
    private(set) var count = 0

    /// How much had arrived before the last command.
    private var countAtCommand = 0

    /// Of the users of a load test nothing is kept but answers that were not `ok`: there are many, and what they share
    /// is told by counts.
    private var isKept: Bool { self.execution.slot == nil }

    init(of execution: ScenarioExecution) { self.execution = execution }

    /// Takes in what a machine hands to the handlers of a client.
    ///
    /// - Parameters:
    ///   - arguments: The name of the handler, the number of the link or request, and what arrived.
    ///   - thread: The number of the thread that is to handle it.
    func heard(_ arguments: [JSONValue], in thread: Int? = nil) {
        guard arguments.count == 3, let handler = arguments[0].string, !arguments[2].isNull else { return }
        if handler == "response", arguments[2]["ok"] != true {
            let told = self.told(of: arguments[2])
            self.refusals.append(Arrival(at: self.execution.now, handler: handler, value: told, thread: thread))
            if self.refusals.count > Self.refusalLimit { self.refusals.removeFirst() }
        }
        guard self.isKept, Self.handlers.contains(handler) else { return }
        self.count += 1
        let arrival = Arrival(at: self.execution.now, handler: handler, value: arguments[2], thread: thread)
        self.arrivals.append(arrival)
        self.arrivalSize += arrival.size
        while self.arrivals.count > Self.keptLimit
            || self.arrivals.count > Self.arrivalLimit && self.arrivalSize > Self.keptSize
        {
            self.arrivalSize -= self.arrivals.removeFirst().size
        }
    }

    /// Returns what is kept of an answer that was not `ok`: for a user of a load test what its line tells, and no body
    /// that is long.
    private func told(of answer: JSONValue) -> JSONValue {
        guard !self.isKept else { return answer }
        let names = ["request", "status", "failure", "body"]
        let members = names.compactMap { name in answer[name].map { (name, $0) } }
        return .object(JSONObject(members.filter { ($1.string?.utf8.count ?? 0) <= Self.toldLimit }))
    }

    /// Takes in that the client is told to do something.
    func commanded() { self.countAtCommand = self.count }

    /// Takes in that a function has told the scenario of something.
    ///
    /// - Parameter thread: The number of its thread.
    func broughtEvent(in thread: Int?) {
        guard self.isKept, let thread, let place = self.arrivals.lastIndex(where: { $0.thread == thread }) else {
            return
        }
        self.arrivals[place].hasBroughtEvent = true
    }

    /// Takes in that something was woken for which nobody waited.
    func wokeNobody(_ name: String) {
        guard self.isKept else { return }
        self.vainWakes.append(VainWake(at: self.execution.now, name: name, arrivalCount: self.count))
        if self.vainWakes.count > Self.wakeLimit { self.vainWakes.removeFirst() }
    }

    /// When something was last woken while nobody waited for it, if it was before an instant.
    func lastVainWake(of name: String, before instant: Instant) -> Instant? {
        self.vainWakes.last { $0.name == name && $0.at <= instant }?.at
    }

    /// Returns what was woken while nobody waited for it and has almost a name that somebody waits for; nil if nothing
    /// has.
    func nameMeant(by name: String) -> String? {
        TextDistance.suggestion(for: name, among: Set(self.vainWakes.map(\.name)).sorted())
    }

    /// Returns what arrived and who was woken in vain while something waited, as sections of its failure.
    ///
    /// - Parameters:
    ///   - count: How much had arrived before the wait.
    ///   - begin: When it began.
    func sections(from count: Int, since begin: Instant) -> [ScenarioFailure.Section] {
        let new = self.arrivals.suffix(min(Self.arrivalLimit, max(0, self.count - count)))
        var sections: [ScenarioFailure.Section] = []
        if !new.isEmpty {
            let missing = self.count - count - new.count
            sections.append(
                .init(
                    heading: "arrived", lines: (missing > 0 ? ["… \(missing) more before"] : []) + new.map(self.line)))
        }
        // That a link has opened need not wake anybody.
        let vain = self.vainWakes.filter { $0.at >= begin && $0.arrivalCount >= count && $0.name != "open" }
        if !vain.isEmpty {
            sections.append(
                .init(
                    heading: "woke nobody",
                    lines: vain.suffix(Self.arrivalLimit).map {
                        "\($0.at.timelineText)  me:wake(\(self.shown(JSONValue.string($0.name).description)))"
                    }))
        }
        return sections
    }

    /// What has arrived on links since the last command and brought no event, as a section of the failure of who waits
    /// for one; none if nothing has.
    var passedOver: [ScenarioFailure.Section] {
        let lines = self.arrivals.suffix(min(Self.arrivalLimit, self.count - self.countAtCommand))
            .filter { $0.isOfLink && !$0.hasBroughtEvent }.map(self.line)
        return lines.isEmpty ? [] : [.init(heading: "arrived", lines: lines)]
    }

    /// The last answers that were not `ok`, as a section of a failure; none if there were none.
    ///
    /// - Parameters:
    ///   - name: Who got them, where that is not whose failure it is.
    ///   - told: What the failure says of what arrived already.
    func refused(by name: String? = nil, besides told: String? = nil) -> [ScenarioFailure.Section] {
        let texts = self.refusals.map { (at: $0.at, text: self.text(of: $0)) }.filter { $0.text != told }
        guard !texts.isEmpty else { return [] }
        let who = name.map { "\($0): " } ?? ""
        return [.init(heading: "not ok", lines: texts.map { "\($0.at.timelineText)  \(who)\($0.text)" })]
    }

    /// What arrived last and when, in one line; nil if nothing did.
    var last: (text: String, at: Instant)? { self.arrivals.last.map { (self.text(of: $0), $0.at) } }

    /// What a thread was called with, and when that arrived, in one line; nil if nothing on a link called it, or if too
    /// much has come since.
    ///
    /// - Parameter thread: The number of the thread.
    func handled(by thread: Int) -> (text: String, at: Instant)? {
        self.arrivals.last { $0.thread == thread && $0.isOfLink }.map { (self.text(of: $0), $0.at) }
    }

    private func line(_ arrival: Arrival) -> String {
        "\(arrival.at.timelineText)  \(self.text(of: arrival))"
    }

    private func text(of arrival: Arrival) -> String {
        if arrival.handler == "response" { return self.answer(arrival.value) }
        var text = arrival.value.string ?? arrival.value.description
        var kind = arrival.handler
        if kind != "text", let bytes = arrival.value.string.flatMap({ Base64.decode($0) }) {
            kind = "\(Self.shownKinds[kind] ?? kind) (\(bytes.count) bytes)"
            text = self.text(of: bytes)
        }
        return "\(kind)  \(self.shown(text))"
    }

    /// So many bytes are shown of what is no text; in so many secrets are looked for, so that none is cut in two.
    private static let (byteLimit, maskedLimit) = (48, 65_536)

    /// Returns bytes as the text that they are, or else in hexadecimal digits.
    private func text(of bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(where: Self.isControl) {
            return text
        }
        let masked = self.execution.secrets.masked(Array(bytes.prefix(Self.maskedLimit)))
        return Hexadecimal.encode(Array(masked.prefix(Self.byteLimit))) + (masked.count > Self.byteLimit ? "…" : "")
    }

    /// Whether a byte is a control character that texts of several lines do not have.
    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != UInt8(ascii: "\t") && byte != UInt8(ascii: "\n") && byte != UInt8(ascii: "\r")
    }

    private func answer(_ answer: JSONValue) -> String {
        ArrivalLine.answer(
            to: answer["request"]?.string ?? "a request", status: answer["status"]?.integer,
            failure: answer["failure"]?["message"]?.string,
            body: answer["base64"] == nil ? answer["body"]?.string ?? "" : "a body that is no UTF-8",
            without: self.execution.secrets)
    }

    private func shown(_ text: String) -> String { ArrivalLine.text(text, without: self.execution.secrets) }
}
