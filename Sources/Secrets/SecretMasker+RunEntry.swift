import Machines
public import RunRecord

/// Entries of the record are masked value by value: what scripts, servers and people wrote, never the words of the
/// format, so that a secret that is such a word spoils nothing.
extension SecretMasker {
    /// Returns an entry of a run record without what must not be seen.
    public func masked(_ entry: RunEntry) -> RunEntry {
        switch entry {
        case .runStarted(var start):
            start.target = self.masked(start.target)
            if let files = start.shard?.plan?.files { start.shard?.plan?.files = self.masked(digests: files) }
            return .runStarted(start)
        case .scenarioStarted(var start):
            start.file = self.masked(start.file)
            start.titlePath = start.titlePath.map { self.withoutValues($0) }
            start.row = start.row.map { self.withoutValues($0) }
            start.mutator = start.mutator.map { self.withoutValues($0) }
            start.tags = start.tags.map { self.withoutValues($0) }
            start.choice = self.masked(start.choice)
            start.askedBy = start.askedBy.map {
                .init(
                    file: self.masked($0.file), name: self.withoutValues($0.name), choice: self.masked($0.choice))
            }
            return .scenarioStarted(start)
        case .happened(let scenario, let nanoseconds, let runEvent):
            return .happened(scenario: scenario, atNanoseconds: nanoseconds, self.masked(runEvent))
        case .scenarioEnded(let end): return .scenarioEnded(self.masked(end))
        case .runEnded(var end):
            for place in end.robustness.indices {
                end.robustness[place].mutator = self.withoutValues(end.robustness[place].mutator)
            }
            end.files = self.masked(digests: end.files)
            return .runEnded(end)
        }
    }

    /// Returns digests of files whose names show nothing.
    private func masked(digests files: [String: String]) -> [String: String] {
        Dictionary(
            files.sorted { $0.key < $1.key }.map { (self.masked($0.key), $0.value) },
            uniquingKeysWith: { first, _ in first })
    }

    private func masked(_ choice: ScenarioChoice?) -> ScenarioChoice? {
        choice.map { .init(line: $0.line, filter: $0.filter.map { self.withoutValues($0) }, number: $0.number) }
    }

    /// Returns the end of a scenario without what must not be seen.
    public func masked(_ end: ScenarioEnd) -> ScenarioEnd {
        var end = end
        switch end.outcome {
        case .passed, .failed, .error: break
        case .expectedFailure(let reason): end.outcome = .expectedFailure(reason: self.masked(reason))
        case .skipped(let reason): end.outcome = .skipped(reason: self.masked(reason))
        }
        end.problems = end.problems.map { self.masked($0) }
        end.slowTearDown = end.slowTearDown.map { self.masked($0) }
        if let failed = end.passes?.lastFailed {
            end.passes?.lastFailed = .init(number: failed.number, message: self.masked(failed.message))
        }
        let checks = end.passes?.checks ?? []
        end.passes?.checks = checks.map { check in
            var check = check
            check.file = check.file.map { self.masked($0) }
            check.text = self.masked(check.text)
            return check
        }
        return end
    }

    /// Returns a problem without what must not be seen.
    public func masked(_ problem: Problem) -> Problem {
        var problem = problem
        // The text mostly begins with the message, and reports look for that.
        problem.message = self.masked(problem.message)
        problem.detail = self.masked(problem.detail)
        problem.file = problem.file.map { self.masked($0) }
        problem.limit = problem.limit.map { self.masked($0) }
        problem.differences = problem.differences.map { line in
            var line = line
            line.actor = self.withoutValues(line.actor)
            line.fields = line.fields.map { field in
                var field = field
                field.stored = field.stored.map { self.masked($0) }
                field.found = field.found.map { self.masked($0) }
                return field
            }
            return line
        }
        problem.evidence = problem.evidence.map { self.masked($0) }
        return problem
    }

    /// What is marked was masked before it was compared; here the parts of a difference are masked one by one.
    private func masked(_ evidence: Evidence) -> Evidence {
        var evidence = evidence
        evidence.actor = evidence.actor.map { self.withoutValues($0) }
        evidence.frames = evidence.frames.map { frame in
            var frame = frame
            frame.file = self.masked(frame.file)
            frame.function = frame.function.map { self.withoutValues($0) }
            frame.excerpt = frame.excerpt.map { self.masked($0) }
            return frame
        }
        let remarks = evidence.nearest?.remarks ?? []
        evidence.nearest?.remarks = remarks.map { self.masked($0) }
        evidence.differences = evidence.differences.map { difference in
            var difference = difference
            difference.path = self.withoutValues(difference.path)
            difference.expected.parts = self.masked(difference.expected)
            difference.found.parts = self.masked(difference.found)
            return difference
        }
        evidence.sections = evidence.sections.map { section in
            var section = section
            section.lines = section.lines.map { self.masked($0) }
            return section
        }
        return evidence
    }

    /// A value may lie across parts; then none of them is shown by itself.
    private func masked(_ text: MarkedText) -> [String] {
        let whole = text.text
        let masked = self.masked(whole)
        return masked == whole ? text.parts : [masked]
    }

    private func masked(_ runEvent: RunEvent) -> RunEvent {
        switch runEvent {
        case .actorJoined(let name, let system, let role):
            .actorJoined(name: self.withoutValues(name), system: system, role: role)
        case .commanded(let actor, let name, let arguments, let line):
            .commanded(
                actor: self.withoutValues(actor), name: name,
                arguments: self.masked(arguments, keepingNames: true), line: line)
        case .observed(let actor, let number, let kind, let fields, let raw):
            .observed(
                actor: self.withoutValues(actor), number: number, kind: kind,
                fields: self.masked(fields, keepingNames: true), raw: raw.map { self.masked($0) })
        case .showed(let actor, let screen):
            .showed(
                actor: self.withoutValues(actor),
                screen: screen.map { row in
                    ScreenRow(row.kind, self.masked(row.text), label: row.label.map { self.masked($0) })
                })
        case .wire(let frame): .wire(self.masked(frame))
        case .stepBegan(let name, let line): .stepBegan(name: self.masked(name), line: line)
        case .stepEnded(let name): .stepEnded(name: self.masked(name))
        case .expected(let actor, let line, let description, let result):
            .expected(
                actor: actor.map { self.withoutValues($0) }, line: line, description: self.masked(description),
                result: result)
        case .logged(let level, let text): .logged(level: level, text: self.masked(text))
        case .attached(let name, let path, let mediaType):
            .attached(name: self.masked(name), path: self.masked(path: path, of: name), mediaType: mediaType)
        }
    }

    private func masked(_ frame: WireFrame) -> WireFrame {
        var frame = frame
        frame.connection = self.withoutValues(frame.connection)
        frame.summary = self.masked(frame.summary)
        switch frame.payload {
        case .text(let text)?: frame.payload = .text(self.masked(text))
        case .base64(let text)?:
            // What is within the bytes cannot be seen in their base64.
            guard let bytes = Base64.decode(text) else {
                frame.payload = .text(Self.mask)
                break
            }
            let masked = self.masked(bytes)
            if masked != bytes { frame.payload = .base64(Base64.encode(masked)) }
        case nil: break
        }
        return frame
    }
}
