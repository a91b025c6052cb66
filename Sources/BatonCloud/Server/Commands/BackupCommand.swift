import ArgumentParser
import BatonCore
import Foundation
import Glibc

/// `baton-cloud backup`
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy all stored data into a folder, while the server runs.",
        discussion: """
            Named again, the same folder gets what is new, and the earlier backup in it stays whole until then. The backup \
            has the server's own key in it, if the server made one: keep it as safe as the server.
            For PostgreSQL use its own means; docs/running-a-cloud.md says how. With --s3 the blobs stay in their bucket, and the \
            database alone is copied.
            Exit codes: 0 when all was copied, 1 when not, and then what was not is said.
            """)

    @OptionGroup var settings: SettingsOptions

    @Argument(help: "A folder that is empty, not there, or holds an earlier backup.", completion: .directory)
    var folder: String

    func run() async throws {
        umask(0o077)
        try await explaining {
            let configuration = try settings.configuration()
            guard configuration.databases.isEmpty else { throw Self.ownMeans }
            let report = try CloudBackup.make(
                of: try SettingsOptions.folder(configuration.data), in: try SettingsOptions.folder(folder),
                hasBlobs: configuration.objects == nil)
            for problem in report.problems { say(problem) }
            guard report.problems.isEmpty else {
                throw BatonError(
                    .dataLoss, reason: "damaged",
                    "The backup was made, but for \(amount(report.problems.count, "finding")): objects missing or damaged in "
                        + "the cloud. “baton-cloud restored”, while no server runs, has devices write it again that have "
                        + "it.")
            }
            guard configuration.objects == nil else {
                return say("Backed up: the database. Its blobs are in the bucket, which needs a copy of its own.")
            }
            let new = "of which \(report.copied) \(report.copied == 1 ? "is" : "are") new"
            say("Backed up: the database and \(amount(report.blobs, "blob")), \(new).")
        }
    }

    static let ownMeans = BatonError(
        .failedPrecondition, reason: "own_means",
        "PostgreSQL is backed up and restored by its own means; see docs/running-a-cloud.md. Afterwards, "
            + "“baton-cloud restored” notifies devices.")
}
