import JSON
import LuaRuntime
import Machines

/// Dates by the clock of the scenario: `date`.
enum DateLibrary {
    /// The functions of the table `date`; all follow the clock of the scenario and are in UTC.
    static var functions: [HostFunction] {
        [
            HostFunction("date.now") { (call) throws(HostError) in
                let script = try call.script()
                call.push(script.drawnTime(CalendarTime(epochMilliseconds: script.epochMilliseconds).text))
                return .returns
            },
            HostFunction("date.today", parameters: ["days"]) { (call) throws(HostError) in
                let script = try call.script()
                let days = try call.optionalInteger(1, in: -1_000_000...1_000_000) ?? 0
                let time = CalendarTime(epochMilliseconds: script.epochMilliseconds + days * 86_400_000)
                guard CalendarTime.written.contains(time.epochMilliseconds) else {
                    throw HostError.argument("date.today works on years from 0 to 9999")
                }
                call.push(String(time.text.prefix(10)))
                return .returns
            },
            HostFunction("date.add", parameters: ["date", "amounts"]) { (call) throws(HostError) in
                let text = try call.string(1)
                let time = try Self.time(call, 1)
                let amounts = try call.object(2)
                let sum = try asFault { () throws(UsageError) in try time.adding(amounts) }
                call.push(text.count == 10 && sum.isMidnight ? String(sum.text.prefix(10)) : sum.text)
                return .returns
            },
            HostFunction("date.epoch", parameters: ["date"]) { (call) throws(HostError) in
                let script = try call.script()
                let year = Int(CalendarTime(epochMilliseconds: script.epochMilliseconds).text.prefix(4)) ?? 0
                if let ofHeader = HTTPDate.epochMilliseconds(try call.string(1), year: year) {
                    call.push(Double(ofHeader) / 1000)
                } else {
                    call.push(Double(try Self.time(call, 1).epochMilliseconds) / 1000)
                }
                return .returns
            },
            HostFunction("date.format", parameters: ["date", "pattern"]) { (call) throws(HostError) in
                let time = try Self.time(call, 1)
                let pattern = try call.string(2)
                call.push(try asFault { () throws(UsageError) in try time.formatted(pattern) })
                return .returns
            },
        ]
    }

    /// Returns an argument that is a date.
    static func time(_ call: borrowing LuaCall, _ number: Int) throws(HostError) -> CalendarTime {
        let text = try call.string(number)
        guard let time = CalendarTime(text) else {
            if text.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil {
                throw HostError.argument("\(call.name): there is no day \"\(text)\"")
            }
            throw HostError.argument(
                "\(call.name) takes a date such as \"2026-11-21\" or \"2026-11-21T10:15:00Z\", not \"\(text)\"")
        }
        return time
    }
}
