import FoundationEssentials
import Metrics
import Scenario

#if canImport(Glibc)
    import Glibc
#endif

/// One side of a comparison of load runs, as the command line names it: `a.json`, `a.json,b.json` or `'old/*.json'`.
enum ComparedFiles {
    /// Returns the files that an argument names, those of a pattern in the order of their names.
    ///
    /// A file whose own name has a comma or a star is taken as it is.
    ///
    /// - Throws: ``ScriptProblem`` for a pattern that no file fits.
    static func files(_ argument: String, in environment: CommandEnvironment) throws(ScriptProblem) -> [String] {
        if FileManager.default.fileExists(atPath: environment.path(argument)) { return [argument] }
        var names: [String] = []
        for name in argument.split(separator: ",").map(String.init) {
            let isThere = FileManager.default.fileExists(atPath: environment.path(name))
            guard !isThere, name.contains(where: Self.wildcards.contains) else {
                names.append(name)
                continue
            }
            let found = Self.matches(name, in: environment)
            guard !found.isEmpty else {
                throw ScriptProblem("no file fits \(name); name the files that `repartee load` wrote", isUsage: true)
            }
            names += found
        }
        return names
    }

    /// What stands for other characters in a pattern.
    private static let wildcards = "*?["

    private static func matches(_ name: String, in environment: CommandEnvironment) -> [String] {
        // The folder that a pattern starts from is none: a character that would be one there stands for itself.
        var literal = environment
        literal.workingDirectory = environment.workingDirectory.reduce(into: "") { path, character in
            path += Self.wildcards.contains(character) || character == "\\" ? "\\\(character)" : "\(character)"
        }
        let pattern = literal.path(name)
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(pattern, 0, nil, &found) == 0 else { return [] }
        return (0..<Int(found.gl_pathc)).compactMap { place in
            found.gl_pathv.flatMap { $0[place].map { String(cString: $0) } }
        }
    }

    /// Reads the runs of one side: shards of one run are put together, and each other file is a run of its own.
    ///
    /// - Throws: ``ScriptProblem`` that names the file, or the run whose shards are not all there.
    static func runs(_ names: [String], in environment: CommandEnvironment) throws(ScriptProblem) -> [LoadTotals] {
        var runs: [LoadResult] = []
        for name in names {
            let result = try LoadReports.result(name, in: environment)
            let place = runs.firstIndex {
                $0.identity.shardCount > $0.identity.cores && $0.identity.runID == result.identity.runID
            }
            guard let place else {
                runs.append(result)
                continue
            }
            do throws(LoadResultError) {
                runs[place] = try runs[place].merging(result)
            } catch {
                throw ScriptProblem("\(name): \(error.message)", isUsage: true)
            }
        }
        var totals: [LoadTotals] = []
        for run in runs {
            do throws(LoadResultError) {
                let sum = try run.totals()
                if let problem = sum.unfinishedProblem { throw LoadResultError("\(problem); compare runs that ended") }
                totals.append(sum)
            } catch {
                throw ScriptProblem("run \(run.identity.runID): \(error.message)", isUsage: true)
            }
        }
        return totals
    }
}
