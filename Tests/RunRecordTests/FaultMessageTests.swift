import RunRecord
import Testing

@Suite("What a process that plays scenarios with faults tells")
struct FaultMessageTests {
    @Test(
        "is read as it was written",
        arguments: [
            .leftOut(.failed, type: "expect", reason: "no"), .leftOut(.error, type: "limit", reason: "it ends"),
            .leftOut(.skipped(reason: "not today"), type: "", reason: "not today"),
            .leftOut(.expectedFailure(reason: "bug 7"), type: "expect", reason: "bug 7"),
            .began(
                systems: ["http"], points: [FaultPlace(number: 1, atNanoseconds: 5, isSent: true, summary: "GET /")],
                pointCount: 3, playCount: 2), .plays(FaultName(kind: "cut", point: 12)),
            .played(FaultCell(FaultName(kind: "http_503", point: 1), outcome: .toldError, detail: "503")),
            .hangs("in a.lua"), .ended,
        ] as [FaultMessage])
    func roundTrip(message: FaultMessage) {
        #expect(FaultMessage(line: message.line) == message)
    }

    @Test(
        "is nothing of that if a word of it is none",
        arguments: [
            #"{"news":"left_out","outcome":"passed","reason":""}"#, #"{"news":"left_out","outcome":"broken"}"#,
            #"{"news":"left_out"}"#, #"{"news":"plays"}"#, #"{"news":"plays","fault":"cut"}"#,
            #"{"news":"played","play":{"fault":"@1","outcome":"trap","detail":""}}"#, "{", "played",
        ])
    func unknown(line: String) {
        #expect(FaultMessage(line: line) == nil)
    }

    @Test("A fault is named by its kind and point, and by nothing else")
    func names() {
        #expect(FaultName("cut@12") == FaultName(kind: "cut", point: 12))
        #expect("\(FaultName(kind: "one_byte", point: 3))" == "one_byte@3")
        for text in ["", "cut", "cut@", "@1", "cut@0", "cut@-1", "cut@1@2", "cut@x", "cut@1@"] {
            #expect(FaultName(text) == nil, "\(text)")
        }
    }

    @Test(
        "Outcomes are read by their names",
        arguments: [.passed, .failed, .error, .skipped(reason: "a"), .expectedFailure(reason: "b")] as [Outcome])
    func outcomes(outcome: Outcome) {
        #expect(Outcome(name: outcome.name, reason: outcome.reason) == outcome)
        #expect(Outcome(name: outcome.name.uppercased(), reason: nil) == nil)
    }
}
