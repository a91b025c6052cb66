import ArgumentParser
import BatonCore
import Foundation

/// `baton-cloud restored`
struct RestoredCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restored", abstract: "Notify devices that the data was restored to an earlier state.",
        discussion: """
            For data that was restored by other means than “baton-cloud restore”: pg_restore, a snapshot of the disk or of \
            the machine. No server may run. With --s3, blobs that the bucket does not have count as not there, so that \
            devices can bring them again.
            """)

    @OptionGroup var settings: SettingsOptions

    func run() async throws {
        try await explaining {
            let configuration = try settings.configuration()
            guard configuration.databases.isEmpty else { return try await shared(configuration) }
            let folder = try SettingsOptions.folder(configuration.data)
            let path = try CloudFolder.database(in: folder)
            // It would be one no more.
            guard try !CloudDatabase.isBackup(path: path) else { throw CloudDatabase.backupNotServed }
            let lock = try CloudServer.lock(folder)
            defer { withExtendedLifetime(lock) {} }
            try CloudDatabase.beginAnotherTime(path: path)
            say("Devices will start over, and write again what is not there.")
            guard let objects = try configuration.store(ProcessInfo.processInfo.environment) else { return }
            let missing = try await objects.expectMissing(ofDatabase: path)
            await objects.close()
            if missing > 0 { sayMissing(missing) }
        }
    }

    private func shared(_ configuration: CloudConfiguration) async throws {
        let objects = try configuration.store(ProcessInfo.processInfo.environment)
        var (zones, missing) = (0, 0)
        let databases = configuration.databases
        var connections: [PostgreSQLConnection] = []
        // Each, before anything is changed.
        for (index, location) in databases.enumerated() {
            let connection = try PostgreSQLStart.explaining(
                blocking: location, place: databases.count > 1 ? index + 1 : nil
            ) { () throws(BatonError) -> PostgreSQLConnection in try PostgreSQLNodes.keepOut(of: location) }
            connections.append(connection)
        }
        defer { withExtendedLifetime(connections) {} }
        for (index, location) in databases.enumerated() {
            zones += try PostgreSQLStart.explaining(blocking: location, place: databases.count > 1 ? index + 1 : nil) {
                () throws(BatonError) -> Int in
                try PostgreSQLItemStore.beginAnotherTime(location: location)
            }
            guard let objects else { continue }
            var gone: [BlobAddress] = []
            try await PostgreSQLVerification.completeBlobs(location: location) { address, size in
                if try await objects.size(of: address) != size { gone.append(address) }
            }
            try PostgreSQLItemStore.expectAgain(gone, location: location)
            missing += gone.count
        }
        await objects?.close()
        say("Devices will start over in \(amount(zones, "zone")), and write again what is not there.")
        if missing > 0 { sayMissing(missing) }
    }
}
