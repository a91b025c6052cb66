import ArgumentParser
import BatonCore
import BatonTrust

/// `baton verify`
struct VerifyCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check that an app is as its team signed it.")

    @Argument(help: "Path to Name.app.", completion: .directory)
    var path: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let path = session.context.absolutePath(path)
        let bundle = try await blocking { try CodeVerifier.verify(path) }
        let types = bundle.info.activityTypes.sorted().map(\.rawValue).joined(separator: ", ")
        try session.emit(
            json: BundleReport.json(bundle, path: path),
            text: """
                \(BundleReport.title(bundle)) is as team \(bundle.identity.team.id) signed it.
                Continues: \(types.isEmpty ? "no activity types" : TerminalText.escape(types))
                """)
    }
}
