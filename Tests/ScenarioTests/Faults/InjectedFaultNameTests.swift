import RunRecord
import Testing
import Transport

@testable import Scenario

@Suite("The name of a fault that is injected")
struct InjectedFaultNameTests {
    @Test("is its kind and point, whichever kind it is", arguments: FaultKind.allCases)
    func names(kind: FaultKind) {
        let fault = InjectedFault(kind, at: 12)
        #expect("\(fault.name)" == "\(kind.rawValue)@12")
        #expect(FaultName("\(kind.rawValue)@12").flatMap { InjectedFault($0) } == fault)
    }

    @Test("is none of a kind that there is not")
    func unknown() {
        #expect(InjectedFault(FaultName(kind: "snip", point: 1)) == nil)
    }
}
