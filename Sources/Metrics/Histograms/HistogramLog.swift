/// A file of histograms over time in the log format of HdrHistogram, version 1.3 (`HistogramLogWriter.java`).
///
/// Each line holds one interval, so tools that know the format plot it and files can be joined line by line.
public struct HistogramLog: Hashable, Sendable {
    /// One line: the values of an interval.
    public struct Interval: Hashable, Sendable {
        /// What was measured; nil for a log of a single thing.
        public var tag: String?
        /// When the interval began, in microseconds since the start of the run.
        public var startMicroseconds: Int64
        /// How long the interval is, in microseconds.
        public var lengthMicroseconds: Int64
        /// The values.
        public var histogram: Histogram

        /// Creates a line.
        public init(tag: String?, startMicroseconds: Int64, lengthMicroseconds: Int64, histogram: Histogram) {
            self.tag = tag
            self.startMicroseconds = startMicroseconds
            self.lengthMicroseconds = lengthMicroseconds
            self.histogram = histogram
        }
    }

    /// When the run began, in microseconds since 1970; nil if the log does not say.
    public var startMicroseconds: Int64?
    /// The lines.
    public var intervals: [Interval]

    /// Creates a log.
    public init(startMicroseconds: Int64?, intervals: [Interval]) {
        self.startMicroseconds = startMicroseconds
        self.intervals = intervals
    }

    /// How many units of a value make one of those in which the column of greatest values is written.
    ///
    /// Values are microseconds; the column is in milliseconds, as in the logs of other tools.
    private static let displayRatio = 1_000

    /// The file.
    public var text: String {
        var lines = ["#[Logged with repartee]", "#[Histogram log format version 1.3]"]
        if let start = self.startMicroseconds {
            lines.append("#[StartTime: \(Self.seconds(start)) (seconds since epoch)]")
        }
        lines.append(#""StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram""#)
        for interval in self.intervals {
            let tag = interval.tag.map { "Tag=\(Self.tagText($0))," } ?? ""
            let maximum = interval.histogram.maximum ?? 0
            lines.append(
                tag + Self.seconds(interval.startMicroseconds) + "," + Self.seconds(interval.lengthMicroseconds) + ","
                    + Self.decimal(maximum, ratio: Self.displayRatio) + "," + interval.histogram.base64)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns a tag without what the format cannot hold: commas, spaces and line ends become underscores.
    private static func tagText(_ tag: String) -> String {
        String(
            String.UnicodeScalarView(
                tag.unicodeScalars.map { $0 == "," || $0.value <= 0x20 || $0.value == 0x7F ? "_" : $0 }))
    }

    private static func seconds(_ microseconds: Int64) -> String {
        let milliseconds = microseconds / 1_000
        return self.decimal(milliseconds, ratio: 1_000)
    }

    private static func decimal(_ value: Int64, ratio: Int) -> String {
        let magnitude = value.magnitude
        let ratio = UInt64(ratio)
        return "\(value < 0 ? "-" : "")\(magnitude / ratio).\(String(ratio + magnitude % ratio).dropFirst())"
    }
}
