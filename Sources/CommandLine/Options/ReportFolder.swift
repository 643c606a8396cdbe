/// The folder for reports.
enum ReportFolder {
    /// Where reports go unless the command line says otherwise.
    static let standard = "Reports"
}
