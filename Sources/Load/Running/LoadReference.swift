import Metrics

/// What there is to know of the figures of a load run, as a section of the reference page.
public enum LoadReference {
    /// The section, in Markdown.
    public static var markdown: String {
        let metrics = BuiltInMetric.allCases.map { "| `\($0.rawValue)` | \($0.metric.kind.rawValue) | \($0.summary) |" }
        let texts = DeliveryAccount.names.sorted().map { "`\($0)`" }
        return """
            ## Metrics and thresholds

            What a load run measures by itself. `metric.time`, `metric.count`, `metric.gauge` and `metric.value` add more.

            | metric | kind | what |
            |---|---|---|
            \(metrics.joined(separator: "\n"))

            A threshold is a bound that a figure must keep, such as `p99(delivery) < 200ms during "steady"`:

            ```text
            threshold  = function "(" metric [ "{" tag "=" value { "," … } "}" ] ")" [ "vs" "baseline" ] operator bound { scope }
            function   = "p" number | min | max | mean | avg | median | count | sum | rate | last
            operator   = "<" | "<=" | ">" | ">=" | "==" | "!="
            bound      = number [ us | ms | s | m | h | "%" | [ B | kB | MB | GB ] [ "/s" ] ]
            scope      = "during" phase | "over last" duration | "every" duration "window" | "abort" [ "after" duration ]
            ```

            | kind | functions |
            |---|---|
            | trend | `p99.9` and the like, `min`, `max`, `mean` (`avg`), `median`, `count`, `sum`, `rate` (a second) |
            | counter | `count` (`sum`), all of its growth, and `rate` (growth a second) |
            | rate | `rate` (the share of cases), `count` |
            | gauge | `last`, `min`, `max`, `mean` (`avg`) |

            A time belongs to the phase in which it began, and to the window in which it ended. A rate a second is that
            over the whole run, with the time in which the last users end, unless `during` or a window says which part.

            Of what became of texts there are \(texts.joined(separator: ", ")), with `count`
            (`sum`) over the whole run. A run ends early where `abort` says so, by `count(lost)` only once 64 later
            texts of the same sender have come; `vs baseline` compares with the run that `--baseline` names.

            """
    }
}
