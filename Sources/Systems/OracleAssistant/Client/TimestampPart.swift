import JSON
import Machines

/// When messages came, as the view says it (chapter "Absolute and Relative Timestamps").
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | any | `shown`, ages are shown | aging | sets the timer |
/// | any | `shown`, times are shown or nothing is | unchanged | |
/// | aging | `ageChanged` | aging | `timestamp_changed`; sets the timer |
/// | aging | `messagesCleared` | idle | cancels the timer |
/// | any | `stopped` | unchanged | cancels the timer |
struct TimestampPart: Sendable {
    /// What happens to the latest message.
    enum Input: Sendable {
        /// A message was shown: it carries the age from now on.
        case shown
        /// The words for its age change.
        case ageChanged
        case messagesCleared
        case stopped
    }

    private let isEnabled: Bool
    /// Whether ages are shown, and not times.
    private let isRelative: Bool
    private let pattern: DatePattern
    /// Minutes from UTC.
    private let offset: Int64
    private let strings: StringTable
    /// The age of the latest message in words.
    private var latestAge: String?
    private var latestShown: Instant?
    /// The day of the latest message, counted from 1970.
    private var lastShownDay: Int64?

    /// Reads the configuration.
    init(_ settings: ClientSettings) {
        self.isEnabled = settings.flag("enableTimestamp")
        self.isRelative = settings.text("timestampMode") == "relative"
        self.pattern = DatePattern(text: settings.text("timestampFormat") ?? "")
        self.offset = settings.values["timeZoneOffset"]?.integer ?? 0
        self.strings = settings.strings
    }

    /// Takes in what happened.
    mutating func handle(_ input: Input, at now: Instant) -> [ClientAction] {
        switch input {
        case .shown:
            guard self.isEnabled, self.isRelative else { return [] }
            self.latestShown = now
            self.latestAge = self.strings.text("odais_timestamp_now")
            return [.perform(.setTimer(.age, RelativeTimestamp.untilChange(age: .zero)))]
        case .ageChanged:
            guard let latestShown else { return [] }
            let age = now - latestShown
            let text = RelativeTimestamp.text(age: age, strings: self.strings)
            self.latestAge = text
            let fields: JSONObject = ["text": .string(text), "age": .double(age.scriptSeconds)]
            let timer = OracleEffect.setTimer(.age, RelativeTimestamp.untilChange(age: age))
            return [.emit(.timestampChanged, fields), .perform(timer)]
        case .messagesCleared:
            self.latestShown = nil
            self.latestAge = nil
            self.lastShownDay = nil
            return [.perform(.cancelTimer(.age))]
        case .stopped: return [.perform(.cancelTimer(.age))]
        }
    }

    // MARK: Words

    /// Returns the fields by which a new message of the server says when it came.
    ///
    /// - Parameter date: When it was shown, in milliseconds since 1970 UTC.
    mutating func fields(ofMessageAt date: Int64) -> JSONObject {
        guard self.isEnabled else { return [:] }
        guard self.isRelative else { return ["timestamp": .string(self.time(date))] }
        var fields: JSONObject = ["timestamp": .string(self.strings.text("odais_timestamp_now"))]
        let day = self.day(date)
        if day != self.lastShownDay {
            self.lastShownDay = day
            fields["timestamp_header"] = .string(self.time(date))
        }
        return fields
    }

    /// Returns what stands at a message on the screen about when it came: its time; or, where ages are shown, the age
    /// of the latest one and the time above the first one of each day.
    func screenFields(of item: Screen.Item, after previous: Screen.Item?, isLatest: Bool) -> JSONObject {
        guard self.isEnabled else { return [:] }
        let time = JSONValue.string(self.time(item.date))
        guard self.isRelative else { return ["time": time] }
        var fields = JSONObject()
        let isFirst = previous.map { self.day($0.date) != self.day(item.date) }
        if isFirst ?? true { fields["day"] = time }
        if isLatest { fields["time"] = self.latestAge.map { .string($0) } }
        return fields
    }

    private func time(_ epochMilliseconds: Int64) -> String {
        self.pattern.format(epochMilliseconds: epochMilliseconds, offset: self.offset)
    }

    /// The day of a message for the user, counted from 1970.
    private func day(_ epochMilliseconds: Int64) -> Int64 {
        (epochMilliseconds / 60_000).addingReportingOverflow(self.offset).partialValue / 1440
    }
}
