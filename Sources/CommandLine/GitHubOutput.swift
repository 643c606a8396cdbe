import Reports

/// The report for GitHub Actions, as its runner wants it.
enum GitHubOutput {
    /// Returns the report, with paths from the root of the repository and the summary in the file of the job.
    ///
    /// - Parameter addition: What the summary says at its end, in Markdown.
    static func report(in environment: CommandEnvironment, adding addition: String = "") -> ReportOutput {
        var folder = ""
        if let workspace = environment.variables["GITHUB_WORKSPACE"], !workspace.isEmpty,
            environment.workingDirectory.hasPrefix(workspace + "/")
        {
            folder = String(environment.workingDirectory.dropFirst(workspace.count + 1))
        }
        return .github(folder: folder, write: environment.writeOutput) { (text) throws(ReportFileError) in
            try Self.writeSummary(text + addition, in: environment)
        }
    }

    /// Adds to the summary of the job, to which other steps may have written.
    private static func writeSummary(
        _ text: String, in environment: CommandEnvironment
    ) throws(ReportFileError) {
        guard let path = environment.variables["GITHUB_STEP_SUMMARY"], !path.isEmpty else { return }
        do throws(ReportFileError) {
            try FileSystem.append(Array(text.utf8), to: path)
        } catch {
            throw error.after("the summary of the job is not written")
        }
    }
}
