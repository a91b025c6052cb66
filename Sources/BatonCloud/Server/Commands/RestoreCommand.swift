import ArgumentParser
import BatonCore
import Foundation
import Glibc

/// `baton-cloud restore`
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore a backup into an empty folder.",
        discussion: """
            Overwrites nothing. An interrupted restore is begun again by the same command. Devices learn that it is \
            another time, and write again what the backup does not have. With --s3, blobs that the bucket does not \
            have count as not there.
            Exit codes: 0 when all was put back, 1 when not, and then what was not is said.
            """)

    @OptionGroup var settings: SettingsOptions

    @Argument(help: "The backup.", completion: .directory)
    var folder: String

    func run() async throws {
        umask(0o077)
        try await explaining {
            let configuration = try settings.configuration()
            guard configuration.databases.isEmpty else { throw BackupCommand.ownMeans }
            let data = try SettingsOptions.folder(configuration.data)
            let objects = try configuration.store(ProcessInfo.processInfo.environment)
            let report = try CloudBackup.restore(
                try SettingsOptions.folder(folder), to: data, hasBlobs: objects == nil)
            for problem in report.problems { say(problem) }
            guard report.problems.isEmpty else {
                throw BatonError(
                    .dataLoss, reason: "damaged",
                    "The backup was put back, but for \(amount(report.problems.count, "finding")): objects that devices may "
                        + "bring again.")
            }
            guard let objects else { return say("Restored: the database and \(amount(report.blobs, "blob")).") }
            say("Restored: the database.")
            let missing = try await objects.expectMissing(ofDatabase: CloudServer.databasePath(in: data))
            await objects.close()
            if missing > 0 { sayMissing(missing) }
        }
    }
}
