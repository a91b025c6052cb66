import ArgumentParser
import BatonCore
import Foundation

/// Where a cloud keeps what it keeps: the same for every command. The command line goes before the file.
struct SettingsOptions: ParsableArguments {
    @Option(help: "A configuration file.", completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    @Option(
        help: "The folder that everything is kept in. Default: baton-cloud in $XDG_DATA_HOME.", completion: .directory)
    var data: String?

    @Option(
        help: """
            A PostgreSQL database, as a URL without a password: that is taken from PGPASSFILE or ~/.pgpass. May be \
            repeated: accounts are spread over them, and the first knows where each is. Needs --s3.
            """)
    var postgres: [String] = []

    @Option(
        help: """
            A bucket for blobs: https://HOST/BUCKET[/PREFIX][?region=REGION]. The keys are taken from \
            AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.
            """)
    var s3: String?

    /// The file's settings, with those of the command line in their place.
    func configuration() throws(BatonError) -> CloudConfiguration {
        var configuration = CloudConfiguration()
        if let config { configuration = try ConfigurationFile.read(config) }
        if let data { configuration.data = data }
        if !postgres.isEmpty { configuration.databases = postgres }
        if let s3 { configuration.objects = s3 }
        guard configuration.data != "" else { throw Self.noFolder }
        let problems = configuration.databaseProblems
        guard problems.isEmpty else { throw CloudConfiguration.unusable(problems) }
        return configuration
    }

    /// The folder that is meant.
    static func folder(_ data: String?) throws(BatonError) -> String {
        let environment = ProcessInfo.processInfo.environment
        if let data {
            guard !data.isEmpty else { throw noFolder }
            return data.hasPrefix("/") ? data : FileManager.default.currentDirectoryPath + "/" + data
        }
        // systemd makes it and names it.
        if let folder = environment["STATE_DIRECTORY"], folder.hasPrefix("/"), !folder.contains(":") { return folder }
        if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") { return folder + "/baton-cloud" }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw BatonError(
                .failedPrecondition, reason: "no_home", "Neither HOME nor XDG_DATA_HOME is set. Say --data.")
        }
        return home + "/.local/share/baton-cloud"
    }

    static let usageReason = "wrong_usage"

    private static let noFolder = BatonError(
        .invalidArgument, reason: usageReason,
        "An empty text names no folder. Name one, or leave --data out for the folder that is the default.")
}

/// Runs a command, and says in a sentence why it cannot go on.
func explaining(_ body: () async throws -> Void) async throws {
    do {
        try await body()
    } catch let error as BatonError {
        for line in error.message.split(separator: "\n") {
            FileHandle.standardError.write(Data("baton-cloud: \(line)\n".utf8))
        }
        // As in sysexits.h. A configuration error stays one until the operator mends it.
        switch error.reason {
        case CloudConfiguration.unusableReason: throw ExitCode(78)
        case SettingsOptions.usageReason: throw ExitCode(64)
        default: throw ExitCode(1)
        }
    }
}

/// - Parameter blobs: one at least.
func sayMissing(_ blobs: Int) {
    let (verb, pronoun) = blobs == 1 ? ("is", "it") : ("are", "them")
    say("\(amount(blobs, "blob")) \(verb) not in the bucket; devices may bring \(pronoun) again.")
}

/// How many there are of something.
/// - Parameter noun: of one.
func amount(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
