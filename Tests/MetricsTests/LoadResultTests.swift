import JSON
import Machines
import Testing

@testable import Metrics

/// A small result of one shard, from a seed.
func sampleResult(
    shard: Int = 1, of count: Int = 1, seed: UInt64 = 1, runID: String = "run-1", planHash: String = "abc",
    slowness: Int64 = 1
) throws -> LoadResult {
    var random = RandomSource(seed: seed &+ UInt64(shard))
    let phases = Phases([.init("ramp-up", startMicroseconds: 0), .init("steady", startMicroseconds: 10_000_000)])
    var measured = Measurements(phases: phases)
    try measured.declare(Metric("never", .trend))
    let delivery = try measured.series(Metric("delivery", .trend, unit: .microseconds), tags: [Tag("role", "agent")])
    let errors = try measured.series(Metric("errors", .rate))
    let messages = try measured.series(Metric("messages", .counter))
    let users = try measured.series(Metric("users", .gauge))
    var ledger = Ledger(run: LedgerEnvelope.runNumber(of: runID))
    var health = GeneratorHealth()
    for second in 0..<60 as Range<Int64> {
        measured.record(users, second, at: second * 1_000_000)
        for part in 0..<40 as Range<Int64> {
            let at = second * 1_000_000 + part * 20_000
            measured.record(delivery, Int64.random(in: 5_000..<20_000, using: &random) * slowness, at: at)
            measured.record(errors, isHit: Int.random(in: 0..<100, using: &random) == 0, at: at)
            measured.record(messages, 1, at: at)
            let envelope = ledger.send(
                from: UInt32(shard), in: UInt32(part % 3), receivers: 1, intendedMicroseconds: at)
            ledger.receive(envelope, by: UInt32(100 + shard), isAddressee: true)
            health.timerFired(lateMicroseconds: Int64.random(in: 0..<900, using: &random))
        }
        health.sampled(processorThousandths: 400, memoryBytes: 1 << 28)
    }
    let excused = ledger.send(from: UInt32(shard), in: 0, receivers: 1, intendedMicroseconds: 60_000_000)
    ledger.excuse(1, from: excused.sender, in: excused.channel)
    var calibration = Calibration(processorMicroseconds: 1_000, busyRoundTrips: 7, busyMicroseconds: 9)
    calibration.roundTrips.record(55)
    calibration.lateness.record(3)
    let identity = RunIdentity(
        runID: runID, seed: seed, planHash: planHash, title: "a load", shardCount: count, phases: phases,
        thresholds: ["p99(delivery) < 50ms", "count(lost) == 0", "p99(never) < 3"])
    return try LoadResult(
        identity: identity, index: shard,
        ShardResult(
            startedAt: "2026-01-02T03:04:0\(shard % 10)Z", durationMicroseconds: 60_000_000, measurements: measured,
            ledger: ledger, health: health, calibration: calibration,
            annotations: [
                .init(
                    startMicroseconds: 30_000_000 + Int64(shard), endMicroseconds: 31_000_000 + Int64(shard),
                    label: "the server restarts"),
                .init(startMicroseconds: 40_000_000 + 2_000_000 * Int64(shard), label: "a wave"),
            ],
            causes: [
                FailureCause(
                    kind: "hopeless", message: "the server answered 503", detail: "the server answered 503\nat a.lua:7",
                    place: "a.lua:7", limit: "the 3s of this expectation", count: Int64(shard * 10), user: 4,
                    firstMicroseconds: 9_000_000, lastMicroseconds: 11_000_000),
                FailureCause(
                    kind: "script", isError: true, message: "no", detail: "no", place: nil, count: 1, user: 5,
                    firstMicroseconds: 9_000_000, lastMicroseconds: 9_000_000),
            ], skips: ["no account": 7, "shard \(shard)": 1]))
}

@Suite("Load results")
struct LoadResultTests {
    @Test("The causes of shards are counted together, and the first of all is told")
    func causes() {
        func cause(
            _ message: String, _ count: Int64, at first: Int64, to last: Int64, kind: String = "hopeless",
            limit: String? = nil
        ) -> FailureCause {
            FailureCause(
                kind: kind, message: message, detail: message, place: "a.lua:7", limit: limit, count: count,
                user: first,
                firstMicroseconds: first, lastMicroseconds: last)
        }
        let merged = FailureCause.merged([
            cause("503", 3, at: 9, to: 10), cause("closed", 7, at: 5, to: 6), cause("503", 6, at: 2, to: 4),
        ])
        #expect(merged == [cause("503", 9, at: 2, to: 10), cause("closed", 7, at: 5, to: 6)])
        // What each user expected is in the message of an expectation; it is one cause for all of them.
        let expectations = FailureCause.merged([
            cause("\"A\" was expected", 1, at: 3, to: 3, kind: "expectation", limit: "the 3s of this expectation"),
            cause("\"B\" was expected", 1, at: 2, to: 2, kind: "expectation", limit: "the 3s of this expectation"),
            cause("\"C\" was expected", 1, at: 4, to: 4, kind: "expectation", limit: "the 9s of this step"),
        ])
        #expect(expectations.map(\.count) == [2, 1] && expectations.map(\.firstMicroseconds) == [2, 4])
        #expect(expectations.map(\.when) == ["first user 2 at 0s, last at 0s", "first user 4 at 0s"])
    }

    @Test(
        "What a server answers tells causes apart, and no other number does",
        arguments: [
            ("ada observed an event that nothing expected, first #2 error: status 500", "500"),
            ("ada: status 429 nil, 3.73ms after say; it did not observe message_sent within 1s", "429"),
            ("#2 error: {\"statusCode\":503,\"id\":700}", "503"), ("the server answered 502 Bad Gateway", "502"),
            ("the server answered with 504.", "504"), ("HTTP/1.1 501 after 300 bytes", "501"),
            ("the connection ended with the code 1011", "1011"), ("the connection ended with the code 4001", "4001"),
            ("POST http://127.0.0.1:8080/orders answered 500", "500"),
            ("{\"url\":\"https://[::1]:443/a\",\"status\":503}", "503"),
        ])
    func answers(message: String, code: String) {
        func cause(_ message: String, kind: String) -> FailureCause {
            FailureCause(
                kind: kind, message: message, detail: message, place: "a.lua:7", count: 1, user: 1,
                firstMicroseconds: 1, lastMicroseconds: 1)
        }
        for kind in ["leftover", "timeout", "expectation", "script"] {
            let other = message.replacing(code, with: "505")
            #expect(
                FailureCause.merged([cause(message, kind: kind), cause(other, kind: kind)]).count == 2, "\(kind)")
            // The same answer to another user, at another place in the conversation.
            let same = message.replacing("#2", with: "#41").replacing("3.73ms", with: "112ms")
                .replacing("700", with: "701").replacing("300 bytes", with: "301 bytes")
            #expect(FailureCause.merged([cause(message, kind: kind), cause(same, kind: kind)]).count == 1, "\(kind)")
        }
        // What a text says is no answer.
        let texts = (0..<9).map { cause("\"order 50\($0) of status 70\($0)\" was expected", kind: "expectation") }
        #expect(FailureCause.merged(texts).map(\.count) == [9])
        // Nor is a number after another one.
        let sizes = (0..<9).map { cause("after status 7, 50\($0) bytes came", kind: "expectation") }
        #expect(FailureCause.merged(sizes).map(\.count) == [9])
    }

    @Test("Users who each have a server of their own have one trouble, whatever its port")
    func ports() {
        func count(_ messages: [String], kind: String = "connection") -> Int {
            FailureCause.merged(
                messages.map { message in
                    FailureCause(
                        kind: kind, message: message, detail: message, place: "a.lua:7", count: 1, user: 1,
                        firstMicroseconds: 1, lastMicroseconds: 1)
                }
            ).count
        }
        func message(_ address: String) -> String { "ada: \(address) did not answer in full: 49152 bytes" }
        #expect(count((49_152..<49_172).map { message("127.0.0.1:\($0)") }) == 1)
        #expect(count((32_768..<32_800).map { message("http://[::1]:\($0)/a") }) == 1)
        // Ports that somebody chose tell services apart, as hosts do.
        #expect(count([message("127.0.0.1:8080"), message("127.0.0.1:8081")]) == 2)
        #expect(count([message("127.0.0.1:49152"), message("chat.example:49152")]) == 2)
        #expect(count(["code: 40001", "code: 40002"]) == 2)
        // What a user expected stands in the message of what can come no more, and other words tell troubles apart.
        let expected = (0..<9).map {
            "ada cannot observe message { text = \"to user-\($0)\" } any more: 127.0.0.1:\(50_000 + $0)"
        }
        #expect(count(expected, kind: "hopeless") == 1)
        let came = ["Hi", "It is \\\"late\\\""].map {
            "ada: #1 message has text \"\($0)\", not \"hi\", and nothing else can come"
        }
        #expect(count(came, kind: "hopeless") == 1)
        #expect(count(["ada: {\"error\":\"busy\"}", "ada: {\"error\":\"full\"}"], kind: "hopeless") == 2)
        #expect(count(["ada: closed: 1011 gone", "ada: closed: 1011 busy"], kind: "hopeless") == 2)
        #expect(count(["ada: closed: 1011", "ada: closed: 1006"], kind: "hopeless") == 2)
        #expect(count([1011, 1006].map { "the server closed the connection: \($0)" }, kind: "hopeless") == 2)
    }

    @Test(
        "Users whose connections had ended for longer or shorter have one trouble, and codes tell troubles apart",
        arguments: ["disconnected", "connection"])
    func times(kind: String) {
        func count(_ messages: [String]) -> Int {
            FailureCause.merged(
                messages.map { message in
                    FailureCause(
                        kind: kind, message: message, detail: message, place: "a.lua:7", count: 1, user: 1,
                        firstMicroseconds: 1, lastMicroseconds: 1)
                }
            ).count
        }
        func message(_ time: String, _ code: Int = 1000) -> String {
            "ada: what it sent is lost, for the connection had ended \(time) before: \(code)"
        }
        #expect(count(["160us", "3.87ms", "1.2s", "1m21s"].map { message($0) }) == 1)
        #expect(count(["160us,", "3.87ms,"].map { message($0) }) == 1)
        #expect(count([message("160us"), message("160us", 1006)]) == 2)
    }

    @Test("The reasons for skips of shards are counted together, the most frequent first")
    func skips() throws {
        let result = try sampleResult(shard: 1, of: 2).merging(try sampleResult(shard: 2, of: 2))
        let skips = try LoadResult(result.text).totals().skips
        #expect(skips.map(\.reason) == ["no account", "shard 1", "shard 2"])
        #expect(skips.map(\.count) == [14, 1, 1])
    }

    @Test("A result from before the last time of causes was kept is read all the same")
    func olderCauses() throws {
        let whole = String(decoding: try sampleResult().text, as: UTF8.self)
        let older = whole.replacing(#","last_us":11000000"#, with: "")
        #expect(older != whole)
        let cause = try #require(try LoadResult(Array(older.utf8)).shards.values.first?.causes.first)
        #expect(cause.lastMicroseconds == cause.firstMicroseconds)
    }

    @Test("A result is written and read again as it was")
    func roundTrip() throws {
        let result = try sampleResult()
        let read = try LoadResult(result.text)
        #expect(read == result)
        #expect(read.text == result.text)
        let totals = try read.totals()
        #expect(
            totals.thresholds().outcomes.map(\.verdict) == [.passed, .passed, .notEvaluated("there are no samples")])
        #expect(totals.thresholds().errors.isEmpty)
        #expect(totals.ledger.account(isOver: true).line == "2,400 of 2,400 deliveries, 0 lost, 0 duplicated")
        #expect(totals.healthVerdict.state == .valid)
    }

    @Test(
        "What has not come is lost where the run came to its end, and under way where it was cut short",
        arguments: [
            (ShardResult.Ending.finished, 2, 0), (.aborted("a threshold"), 1, 1), (.interrupted, 1, 1),
            (.unfinished, 1, 1),
        ] as [(ShardResult.Ending, Int64, Int64)])
    func underWay(ending: ShardResult.Ending, lost: Int64, underWay: Int64) throws {
        var result = try sampleResult()
        var shard = try #require(result.shards[1])
        shard.ledger = Ledger(run: shard.ledger.run)
        let envelopes = (0..<70).map { _ in
            shard.ledger.send(from: 1, in: 1, receivers: 1, intendedMicroseconds: 0)
        }
        // 64 later ones have come than the first that is missing, and none than the last.
        for envelope in [envelopes[0]] + envelopes[2..<69] {
            shard.ledger.receive(envelope, by: 2, isAddressee: true)
        }
        shard.ending = ending
        result = try LoadResult(identity: result.identity, index: 1, shard)
        for totals in [try result.totals(), try LoadResult(result.text).totals()] {
            #expect(totals.deliveries.lost == lost && totals.deliveries.underWay == underWay)
            #expect(totals.defectLines(limit: 5).first?.contains("\(lost) lost") == true)
            let view = totals.view()
            #expect(view.deliveries == totals.deliveries)
        }
    }

    @Test(
        "What later texts have overtaken is refused where it is no number of a stream",
        arguments: ["[[1,1]]", "[[1,1,-1]]", "[[1,1,2],[1,1,2]]", "[[4294967296,1,2]]", "[7]"])
    func overdue(rows: String) throws {
        let text = String(decoding: try sampleResult().text, as: UTF8.self)
        let changed = text.replacing("\"streams\":", with: "\"overdue\":\(rows),\"streams\":")
        #expect(changed != text)
        let error = #expect(throws: LoadResultError.self) { try LoadResult(Array(changed.utf8)) }
        #expect(error?.message.contains(".overdue[") == true, "\(error?.message ?? "")")
    }

    @Test("Whose texts were not acknowledged stays known of those who lack the most, in a file and of several shards")
    func unacknowledged() throws {
        let identity = RunIdentity(runID: "r", seed: 1, planHash: "h", title: "t", shardCount: 2)
        var result: LoadResult?
        for index in 1...2 {
            var measured = Measurements()
            let series = try measured.series(Metric("unacknowledged", .counter))
            var ledger = Ledger(run: 1)
            for user in 0..<UInt32(30) {
                let count = user == 7 ? 1_000 * index : 1
                measured.record(series, Int64(count), at: 0)
                ledger.lacksAcknowledgement(count, ofUser: UInt32(index) * 100 + user)
            }
            let shard = ShardResult(
                durationMicroseconds: 1, measurements: measured, ledger: ledger, health: GeneratorHealth())
            let part = try LoadResult(LoadResult(identity: identity, index: index, shard).text)
            result = try result?.merging(part) ?? part
        }
        #expect(
            try #require(result).totals().unacknowledgedLine
                == "3,058 × a text whose acknowledgement never came "
                + "(user 207: 2,000, user 107: 1,000, user 100: 1, user 101: 1, user 102: 1, others: 55)")
    }

    @Test(
        "Whose texts were not acknowledged is refused where it is no number of a user",
        arguments: ["[[1]]", "[[1,-1]]", "[[1,2],[1,2]]", "[[4294967296,1]]", "[7]"])
    func unacknowledged(rows: String) throws {
        let text = String(decoding: try sampleResult().text, as: UTF8.self)
        let changed = text.replacing("\"streams\":", with: "\"unacknowledged\":\(rows),\"streams\":")
        #expect(changed != text)
        let error = #expect(throws: LoadResultError.self) { try LoadResult(Array(changed.utf8)) }
        #expect(error?.message.contains(".unacknowledged[") == true, "\(error?.message ?? "")")
    }

    @Test("That a warm-up does not count is in the file")
    func warmUp() throws {
        let phases = Phases([
            .init("warm-up", startMicroseconds: 0, isCounted: false), .init("run", startMicroseconds: 5_000_000),
        ])
        let result = try LoadResult(
            identity: RunIdentity(runID: "r", seed: 1, planHash: "h", title: "t", phases: phases), index: 1,
            ShardResult(
                durationMicroseconds: 8_000_000, measurements: Measurements(phases: phases), ledger: Ledger(run: 1),
                health: GeneratorHealth()))
        let read = try LoadResult(result.text)
        #expect(read.identity.phases == phases)
        #expect(read.identity.phases.list.map(\.isCounted) == [false, true])
        #expect(try read.totals().countedSeconds == 3)
    }

    @Test("Merging is associative, commutative and idempotent")
    func merging() throws {
        let shards = try (1...3).map { try sampleResult(shard: $0, of: 3) }
        let left = try shards[0].merging(shards[1]).merging(shards[2])
        let right = try shards[2].merging(shards[1].merging(shards[0]))
        #expect(left == right)
        #expect(left.text == right.text)
        #expect(try left.merging(shards[1]) == left)
        #expect(try left.merging(left) == left)
        #expect(try shards[0].merging(shards[1]).merging(shards[1].merging(shards[2])) == left)
        let totals = try left.totals()
        #expect(totals.measurements.histogram(of: "delivery").count == 7_200)
        #expect(totals.ledger.account(isOver: true).delivered == 7_200)
        // What all shards saw is there once, what happened later again.
        #expect(
            totals.annotations == [
                .init(startMicroseconds: 30_000_001, endMicroseconds: 31_000_003, label: "the server restarts"),
                .init(startMicroseconds: 42_000_000, label: "a wave"),
                .init(startMicroseconds: 44_000_000, label: "a wave"),
                .init(startMicroseconds: 46_000_000, label: "a wave"),
            ])
        #expect(totals.startedAt == "2026-01-02T03:04:01Z")
        #expect(totals.measurements.timeline(of: "users").intervals.last?.level == 177)
    }

    @Test("Tens of thousands of annotations are put together in one walk over them")
    func manyAnnotations() {
        let second: Int64 = 1_000_000
        let annotations = (0..<60_000).map { number in
            ShardResult.Annotation(startMicroseconds: Int64(number % 20_000) * second, label: "\(number % 20_000)")
        }
        let merged = ShardResult.Annotation.merged(annotations + [.init(startMicroseconds: 9 * second, label: "0")])
        #expect(merged.count == 20_001)
        #expect(merged.filter { $0.label == "0" }.map(\.startMicroseconds) == [0, 9 * second])
    }

    @Test("What is not of one run, twice or missing is refused with the reason")
    func refused() throws {
        func message(_ body: () throws -> Void) -> String {
            do {
                try body()
                return ""
            } catch {
                return "\(error)"
            }
        }
        let first = try sampleResult(shard: 1, of: 3)
        let second = try sampleResult(shard: 2, of: 3)
        #expect(message { _ = try first.merging(try sampleResult(shard: 2, of: 3, runID: "run-2")) }.contains("run-2"))
        #expect(message { _ = try first.merging(try sampleResult(shard: 2, of: 4)) }.contains("3 shards"))
        #expect(message { _ = try first.merging(try sampleResult(shard: 2, of: 3, seed: 9)) }.contains("--seed"))
        #expect(message { _ = try first.merging(try sampleResult(shard: 2, of: 3, planHash: "x")) }.contains("plans"))
        #expect(
            message { _ = try first.merging(try sampleResult(shard: 1, of: 3, slowness: 2)) }.contains(
                "1/3 is there twice"))
        func refusal(_ change: (inout RunIdentity) -> Void) -> String {
            var identity = second.identity
            change(&identity)
            return message { _ = try first.merging(try LoadResult(identity: identity, shards: second.shards)) }
        }
        let files = "the shards are of a load and of b.lua; start all with the same file, by the same name"
        #expect(refusal { $0.title = "b.lua" } == files)
        #expect(refusal { ($0.title, $0.planHash) = ("b.lua", "x") } == files)
        #expect(refusal { $0.target = "staging" }.contains("different targets (embedded and staging)"))
        #expect(refusal { $0.isVirtual = true }.contains("played in real time and the other in virtual time"))
        #expect(refusal { $0.thresholds = [] }.contains("different phases or thresholds"))
        #expect(refusal { $0.cores = 3 }.contains("on 1 core and the other on 3"))
        #expect(refusal { $0.replay = "repartee load" }.contains("different commands (none and repartee load)"))
        #expect(message { _ = try sampleResult(shard: 4, of: 3) }.contains("shard 4 of 3"))
        let partial = try first.merging(second)
        #expect(message { _ = try partial.totals() } == "of 3 shards 1 is missing (3); give the results of all")
        #expect(try partial.totals(allowingMissing: true).healthVerdict.state == .valid)
    }

    @Test("A byte order mark before the result is read over, and nowhere else")
    func marked() throws {
        let result = try sampleResult()
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        #expect(try LoadResult(mark + result.text) == result)
        #expect(throws: LoadResultError.self) { try LoadResult(mark + mark + result.text) }
    }

    @Test("A file that is cut is refused, wherever that is")
    func cut() throws {
        let text = try sampleResult().text
        for length in stride(from: 0, to: text.count - 1, by: 997) {
            #expect(throws: LoadResultError.self) { try LoadResult(text[..<length]) }
        }
    }

    @Test("Damaged values are refused or read, but never trap", arguments: 0..<8 as Range<UInt64>)
    func fuzz(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let value = try JSONReader.read(try sampleResult().text)
        let strange: [JSONValue] = [
            .null, -1, .integer(.max), .integer(.min), "x", [], [:], 1.5, true, [[], [1]], "HISTFAAA",
        ]
        func damaged(_ value: JSONValue, depth: Int) -> JSONValue {
            if depth == 0 || Int.random(in: 0..<12, using: &random) == 0 {
                return strange.randomElement(using: &random)!
            }
            switch value {
            case .object(var members):
                guard let name = members.names.randomElement(using: &random), let member = members[name] else {
                    return value
                }
                members[name] = damaged(member, depth: depth - 1)
                return .object(members)
            case .array(var elements):
                guard let place = elements.indices.randomElement(using: &random) else { return value }
                elements[place] = damaged(elements[place], depth: depth - 1)
                return .array(elements)
            default: return strange.randomElement(using: &random)!
            }
        }
        for _ in 0..<12 {
            guard let read = try? LoadResult(JSONWriter.write(damaged(value, depth: 9))) else { continue }
            let totals = try? read.totals(allowingMissing: true)
            _ = totals?.thresholds()
            _ = totals?.healthVerdict
        }
    }

    /// The most that a count or a time of a file may be.
    private static let most: JSONValue = .integer(1 << 53)

    /// The text of a result in which members of some names are other values, wherever they stand.
    private func result(with values: [String: JSONValue]) throws -> [UInt8] {
        func changed(_ value: JSONValue) -> JSONValue {
            switch value {
            case .object(let members): .object(JSONObject(members.map { ($0, values[$0] ?? changed($1)) }))
            case .array(let elements): .array(elements.map(changed))
            default: value
            }
        }
        return JSONWriter.write(changed(try JSONReader.read(try sampleResult().text)))
    }

    @Test("A file of the highest numbers that there may be is read, and what they add up to stays a number")
    func maxima() throws {
        let causes = (0..<1_100).map { number -> JSONValue in
            [
                "kind": "connection", "error": true, "message": .string("refused \(number)"), "detail": "", "user": 1,
                "count": Self.most, "first_us": Self.most,
            ]
        }
        let text = String(
            decoding: try self.result(with: [
                "duration_us": Self.most, "start_us": Self.most, "interval_seconds": .integer(1 << 33),
                "script_us": Self.most, "arrivals_planned": Self.most, "arrivals_not_started": Self.most,
                "processor_us": 1, "busy_round_trips": Self.most, "busy_us": 1, "foreign": Self.most,
                "streams": [.array([1, 2] + [JSONValue](repeating: Self.most, count: 7))],
                "causes": .array(causes + [causes[0]]),
                "thresholds": [
                    "p99(delivery) < 50ms over last 10m", "p99(delivery) < 50ms every 1h window",
                    "p99(delivery) < 50ms during \"steady\"", "count(duplicated) == 0",
                ],
            ]), as: UTF8.self)
        let totals = try LoadResult(Array(text.replacing("\"messages\"", with: "\"iterations\"").utf8)).totals()
        let (outcomes, errors) = totals.thresholds()
        #expect(errors.isEmpty && outcomes.count == 4)
        #expect(outcomes.last?.value == Double(1 << 53))
        #expect(totals.causes.first?.count == 2 << 53)
        #expect(totals.causes.map(\.count).saturatingSum == .max)
        #expect(totals.isUnreached)
        #expect(totals.silenceProblem?.contains("9,007,199,254,740,992 of 9,007,199,254,740,992 arrivals") == true)
        #expect(totals.healthVerdict.state == .valid)
    }

    @Test(
        "A number that nobody could have counted is refused with its place",
        arguments: [
            ("duration_us", .integer(1 << 53 + 1)), ("memory_peak", .integer(.max)), ("foreign", .integer(.max)),
            ("interval_seconds", .integer(1 << 34)), ("interval_seconds", .integer(1 << 39)),
            ("streams", [[1, 2, .integer(.max), 0, 0, 0, 0, 0]]), ("count", .integer(.max)), ("last_us", -1),
        ] as [(String, JSONValue)])
    func tooMuch(name: String, value: JSONValue) throws {
        let text = try self.result(with: [name: value])
        let error = #expect(throws: LoadResultError.self) { try LoadResult(text) }
        #expect(error?.message.contains(".\(name)") == true, "\(error?.message ?? "")")
    }

    @Test("A threshold that is no text is refused and not left out, for the run would be judged without it")
    func damagedThreshold() throws {
        let text = try self.result(with: ["thresholds": ["count(lost) == 0", 1]])
        let error = #expect(throws: LoadResultError.self) { try LoadResult(text) }
        #expect(error?.message == "result.plan.thresholds: strings are expected")
    }

    @Test("The sum of a metric may be more than any count")
    func largeSum() throws {
        let read = try LoadResult(self.result(with: ["sum": .integer(1 << 60)]))
        #expect(try read.totals().measurements.histogram(of: "delivery").sum == 1 << 61)
    }

    @Test("Intervals that are laid together count no more than a number holds")
    func foldedIntervals() throws {
        var histogram = Histogram(.twoDigits)
        histogram.record(5, count: 1 << 62)
        let intervals = (0..<2).map { Timeline.Interval(index: $0, histogram: histogram, level: 0) }
        let fine = try #require(Timeline(shift: 0, intervals: intervals, combination: nil))
        let coarse = try #require(Timeline(shift: 1, intervals: intervals, combination: nil))
        let drawn = Bootstrap([fine, coarse], durations: [2_000_000, 4_000_000], starts: [0, 0])
        #expect(drawn.runs.first?.map(\.count) == [.max])
    }

    @Test("A file of another kind or version is told apart")
    func others() {
        func message(_ text: String) -> String {
            do {
                _ = try LoadResult(Array(text.utf8))
                return ""
            } catch {
                return error.message
            }
        }
        #expect(message("{}").hasPrefix("this is no load result"))
        #expect(message("[]").hasPrefix("result: an object is expected"))
        #expect(message(#"{"format":"repartee.load","version":9}"#).contains("version 9"))
        #expect(message("{").hasPrefix("this is no JSON"))
    }
}

@Suite("Comparisons")
struct ComparisonTests {
    private func runs(_ seeds: [UInt64], slowness: Int64 = 1) throws -> [Comparison.Run] {
        try seeds.map { Comparison.Run(try sampleResult(seed: $0, slowness: slowness).totals()) }
    }

    @Test("Runs of the same server are rarely told to differ")
    func noChange() throws {
        var judged = 0
        var changed = 0
        for pair in 0..<10 as Range<UInt64> {
            let comparison = Comparison(before: try self.runs([2 * pair]), after: try self.runs([2 * pair + 100]))
            #expect(comparison.caveats.count == 1)
            for row in comparison.rows {
                if case .tooFewSamples = row.verdict { continue }
                judged += 1
                if row.verdict == .changed { changed += 1 }
            }
        }
        #expect(judged >= 60)
        #expect(changed * 20 <= judged, "\(changed) of \(judged)")
    }

    @Test("A server of half the speed is found, with an interval around twice the time")
    func change() throws {
        let comparison = Comparison(before: try self.runs([1, 2, 3]), after: try self.runs([4, 5, 6], slowness: 2))
        let row = try #require(comparison.rows.first { $0.metric.name == "delivery" && $0.figure == "p90" })
        #expect(row.verdict == .changed)
        #expect(row.interval?.contains(1) == true)
        #expect(row.text.hasPrefix("+1") || row.text.hasPrefix("+99") || row.text.hasPrefix("+9"))
        #expect(comparison.caveats.isEmpty)
        let again = Comparison(before: try self.runs([1, 2, 3]), after: try self.runs([4, 5, 6], slowness: 2))
        #expect(again.rows == comparison.rows)
    }

    @Test("Too few samples are told and not judged")
    func few() throws {
        let comparison = Comparison(before: try self.runs([1]), after: try self.runs([2], slowness: 2))
        let row = try #require(comparison.rows.first { $0.metric.name == "delivery" && $0.figure == "p99.9" })
        #expect(row.text == "too few samples: 2,400 before, p99.9 needs 10,000")
    }

    @Test("A run compared with itself says no change", arguments: ["delivery", "errors", "messages", "users"])
    func itself(metric: String) throws {
        let run = try self.runs([1])
        let rows = Comparison(before: run, after: run).rows.filter { $0.metric.name == metric }
        #expect(!rows.isEmpty)
        for row in rows {
            if case .changed = row.verdict { Issue.record("\(row.figure): \(row.text)") }
            #expect(row.change == 0 || row.change == nil)
        }
    }
}
