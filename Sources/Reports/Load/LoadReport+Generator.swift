import Metrics

/// The parts of the page about messages and about the generator itself.
extension LoadReport {
    /// Writes what became of the messages.
    func ledger(to body: inout Markup) {
        guard self.deliveries.sent > 0 || !self.deliveries.isClean else { return }
        let account = self.deliveries
        body.raw("<section class=\"sheet\"><h2>Delivery ledger</h2>")
        // Only a run that ended before its time, or that goes on, has some.
        let underWay = account.underWay > 0 ? [("under way", account.underWay, false)] : []
        let rows: [(String, Int64, Bool)] =
            [
                ("messages sent", account.sent, false), ("deliveries expected", account.expected, false),
                ("delivered", account.delivered, false),
            ] + underWay + [
                ("lost", account.lost, true), ("duplicated", account.duplicated, true),
                ("out of order", account.reordered, true),
                ("to the wrong user", account.misdelivered, true), ("never sent", account.unexpected, true),
                ("of another run", account.foreign, true),
            ]
        body.table(
            ["", ""],
            rows.map { name, count, isBad in
                [.init(name), .init(NumberText.grouped(count), look: isBad && count > 0 ? "failed" : nil)]
            })
        let worst = self.totals.worstStreams(limit: 8)
        if !worst.isEmpty {
            body.element("h3", "worst senders")
            body.table(
                ["sender", "lost", "duplicated", "out of order", "to the wrong user"],
                worst.map { stream in
                    let account = stream.account
                    return [.init(Ledger.name(ofSender: stream.sender, channel: stream.channel))]
                        + [account.lost, account.duplicated, account.reordered, account.misdelivered].map {
                            .init(NumberText.grouped($0))
                        }
                })
        }
        body.raw("</section>\n")
    }

    /// Writes how well each generator ran.
    func generator(to body: inout Markup) {
        body.raw("<section class=\"sheet wide\"><h2>Load generator</h2><div class=\"wide-table\" tabindex=\"0\">")
        func time(_ value: Int64?) -> Markup.Cell {
            .init(value.map { NumberText.value(Double($0), unit: .microseconds) } ?? "–")
        }
        let rows = self.totals.health.prefix(64).map { shard, health -> [Markup.Cell] in
            let state = (self.totals.verdict(ofShard: shard) ?? health.verdict()).state.rawValue
            return [
                .init(self.totals.identity.name(ofShard: shard) ?? "this machine"),
                .init(state, look: state),
                time(health.lateness.value(atPercentile: 99)), time(health.stalls.maximum),
                .init(
                    health.processor.value(atPercentile: 90).map {
                        "\(NumberText.decimal(Double($0) / 10, decimals: 0))%"
                    }
                        ?? "–"),
                .init(NumberText.value(Double(health.memoryPeakBytes), unit: .bytes)),
                time(health.scriptMicroseconds), time(health.collectionMicroseconds),
                .init(NumberText.grouped(health.arrivalsNotStarted)),
            ]
        }
        body.table(
            ["", "verdict", "late p99", "stall", "CPU p90", "memory", "Lua", "GC", "not started"], Array(rows))
        body.raw("</div>")
        if let floor = self.totals.calibration?.floor {
            let cost = self.totals.calibration?.roundTripsPerProcessorSecond.map {
                "; one second of processor time makes \(NumberText.counted(Int64(saturating: $0), "round trip"))"
            }
            body.element(
                "p", look: "note",
                "Floor by echo: median \(NumberText.value(Double(floor.medianMicroseconds), unit: .microseconds)), p99 "
                    + "\(NumberText.value(Double(floor.p99Microseconds), unit: .microseconds))\(cost ?? ""). No figure of "
                    + "the run can be below it.")
            if let line = self.totals.calibration?.line { body.element("p", look: "note", "Calibrated: \(line).") }
        }
        body.raw("</section>\n")
    }

    /// Writes how late the timers of all generators fired.
    func lateness(to body: inout Markup) {
        var late = Histogram()
        for (_, health) in self.totals.health { late.merge(health.lateness) }
        guard !late.isEmpty else { return }
        body.raw("<section class=\"sheet\"><h2>How late timers fired, by percentile</h2>")
        body.append(
            SpectrumChart(label: "timer lateness", curves: [("lateness", late)], unit: .microseconds)
                .draw(width: 520, height: 260))
        body.raw("</section>\n")
    }
}
