import RunRecord

@testable import Scenario

extension TestServer: SharedHost {
    var isAtRest: Bool { true }
    var unheardProblem: Problem? { nil }
}
