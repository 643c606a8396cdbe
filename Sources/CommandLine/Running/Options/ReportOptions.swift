import ArgumentParser
import Reports
import RunRecord
import Scenario

/// The options of `repartee test` that say what is written, and where.
struct ReportOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            JUnitDestination.help + " Reports/junit.xml unless given.", valueName: "file"),
        transform: JUnitDestination.init(argument:))
    var junit: [JUnitDestination] = []

    @Option(help: ArgumentHelp("Also writes a file in the Common Test Report Format.", valueName: "file"))
    var ctrf: String?

    @Option(
        help: ArgumentHelp(
            "Also writes a file in the Test Anything Protocol; - is standard output, instead of the usual one.",
            valueName: "file"))
    var tap: String?

    @Flag(help: "Prints annotations for GitHub Actions, too, and writes the summary of the job.")
    var github = false

    @Option(help: "The folder for reports.")
    var reports = ReportFolder.standard

    @Option(
        help: """
            How much of the wire the run record holds: none, messages, or every one of its bytes; messages unless given, \
            none in runs of more than \(TestPlan.captureLimit) scenarios.
            """)
    var capture: CaptureChoice?

    func validate() throws {
        try StandardOutputName.refuse(self.ctrf, for: "--ctrf")
        try StandardOutputName.refuse(self.reports, for: "--reports")
    }

    /// The options that ask for a file of a run or say what is in it, and whether they are given.
    var given: [(name: String, isGiven: Bool)] {
        [
            ("--junit", !self.junit.isEmpty), ("--ctrf", self.ctrf != nil), ("--tap", self.tap != nil),
            ("--github", self.github), ("--capture", self.capture != nil),
        ]
    }

    /// The JUnit files to write, by absolute paths.
    func junitFiles(in environment: CommandEnvironment) -> [(path: String, profile: JUnitProfile)] {
        self.junit.isEmpty
            ? [(environment.path(self.reports) + "/junit.xml", .default)]
            : self.junit.map { (environment.path($0.path), $0.profile) }
    }

    /// Where scenarios put files beside the reports.
    func attachments(in environment: CommandEnvironment) -> AttachmentFolder {
        let name = self.reports + "/attachments"
        return AttachmentFolder(path: environment.path(name), named: name)
    }

    /// Where what is known of scenarios from run to run is kept, as an absolute path.
    func historyPath(in environment: CommandEnvironment) -> String {
        environment.path(self.reports) + "/" + RunHistory.fileName
    }

    /// The files that options name.
    func named(in environment: CommandEnvironment) -> OutputFiles {
        OutputFiles(
            self.junit.map { ("--junit", $0.path) } + [
                ("--ctrf", self.ctrf), ("--tap", self.tap == "-" ? nil : self.tap),
            ], besides: (self.unnamed + [RunHistory.fileName, "attachments"]).map { self.reports + "/" + $0 },
            in: environment)
    }

    /// The reports of a run that no option names, in the folder for reports.
    private var unnamed: [String] { ["run.jsonl", "report.html"] + (self.junit.isEmpty ? ["junit.xml"] : []) }

    /// Takes away the reports of the run before, which would be taken for those of one that is killed early; what may
    /// be rows of a scenario stays until its file has been read.
    func removeReports(in environment: CommandEnvironment) {
        self.attachments(in: environment).removeLeftovers()
        let folder = environment.path(self.reports)
        for name in self.unnamed { FileSystem.removeReport(folder + "/" + name) }
        self.named(in: environment).removeReports()
    }
}
