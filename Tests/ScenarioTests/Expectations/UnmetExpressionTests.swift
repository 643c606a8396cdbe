import Machines
import Testing

@testable import Scenario

@Suite("An expression that needs an event that cannot come")
struct UnmetExpressionTests {
    @Test("names it where nothing else will do")
    func unmet() {
        let come = EventExpression.event(EventMatcher(id: 0, kind: .message, fields: []))
        let absent = EventExpression.event(EventMatcher(id: 1, kind: .queue, fields: []))
        func isUnmet(_ expression: EventExpression) -> Bool { expression.unmet { $0.kind == .queue } != nil }
        for expression in [
            absent, .any([absent, absent]), .sequence([come, absent]), .all([absent, come]),
            .interleave([come, absent]),
        ] { #expect(isUnmet(expression), "\(expression)") }
        for expression in [
            come, .any([absent, come]), .sequence([come, .optional(absent)]), .sequence([come, .any([come, absent])]),
            .any([.sequence([come, absent]), come]), .nothing,
        ] { #expect(!isUnmet(expression), "\(expression)") }
    }
}
