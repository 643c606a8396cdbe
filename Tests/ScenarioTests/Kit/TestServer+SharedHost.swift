@testable import Scenario

extension TestServer: SharedHost {
    var isAtRest: Bool { true }
    func findUnheardProblems(_ completion: @escaping ([SharedProblem]) -> Void) { completion([]) }
}
