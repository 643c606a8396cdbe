import RunRecord
import Testing

@Suite("Kinds of problems")
struct ProblemKindTests {
    @Test("an error is the harness's by its kind, and a failure never is")
    func harness() {
        let words = ["connection", "harness", "deadlock", "limit", "model"]
        for kind in ProblemKind.allCases {
            let error = Problem(category: .error, kind: kind, message: "no")
            #expect(error.kind == kind && error.typeName == kind.rawValue)
            #expect(error.isHarness == words.contains(kind.rawValue), "\(kind)")
            #expect(!Problem(category: .failure, kind: kind, message: "no").isHarness)
        }
    }

    @Test("a word of another version is no kind, and the script's")
    func unknown() {
        let error = Problem(category: .error, typeName: "melted", message: "no")
        #expect(error.kind == nil && !error.isHarness)
    }
}
