import ArgumentParser
import BatonCore
import Foundation

/// `baton-cloud verify`
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check everything that is stored, and report problems.",
        discussion: """
            Reads the whole database and every blob, and changes nothing. The server may be running. A backup is looked \
            through with --data and its folder.
            Exit codes: 0 when all is well, 1 when something is wrong.
            """)

    @OptionGroup var settings: SettingsOptions

    func run() async throws {
        try await explaining {
            let configuration = try settings.configuration()
            if !configuration.databases.isEmpty { return try await verifyShared(configuration) }
            let folder = try SettingsOptions.folder(configuration.data)
            let path = try CloudFolder.database(in: folder, given: configuration.certificate)
            var findings = try CloudDatabase.findings(path: path)
            var count = 0
            if findings.isEmpty {
                if let finding = try CloudDatabase.secretFinding(path: path) { findings.append(finding) }
                // One that is given is looked at when the server starts.
                if configuration.certificate == nil, let finding = ServerIdentity.finding(in: folder) {
                    findings.append(finding)
                }
                if configuration.certificate == nil, !configuration.isPlain, !ServerIdentity.isThere(in: folder),
                    try CloudDatabase.hasAccounts(path: path)
                {
                    // The server may be given one that is not named here: no damage.
                    say(
                        "There is no certificate in “\(folder)”, though the cloud has accounts. Unless the server is given "
                            + "one, it makes another, which devices refuse until they log in again with its fingerprint: "
                            + "put back certificate.pem and key.pem from a backup.")
                }
                let objects = try configuration.store(ProcessInfo.processInfo.environment)
                for (address, size) in try CloudDatabase.completeBlobs(path: path) {
                    count += 1
                    let isWhole =
                        if let objects {
                            try await objects.isWhole(address, size: size)
                        } else {
                            DirectoryBlobStore.isWhole(address, size: size, in: folder + "/blobs")
                        }
                    if !isWhole { findings.append("blob \(address.hash.hexadecimal) is missing or damaged") }
                }
                await objects?.close()
            }
            try conclude(findings, count)
        }
    }

    /// Verifies the storage that several nodes share.
    private func verifyShared(_ configuration: CloudConfiguration) async throws {
        var findings: [String] = []
        var count = 0
        let objects = try configuration.store(ProcessInfo.processInfo.environment)
        let databases = configuration.databases
        for (index, location) in databases.enumerated() {
            // Reports an error for each database that cannot be read.
            try await PostgreSQLStart.explaining(location, place: databases.count > 1 ? index + 1 : nil) {
                if index == 0, let finding = try PostgreSQLVerification.secretFinding(location: location) {
                    findings.append(finding)
                }
                findings += try PostgreSQLVerification.findings(location: location)
            }
        }
        findings += try PostgreSQLPlacements.findings(databases)
        for location in databases {
            guard let objects else { continue }
            try await PostgreSQLVerification.completeBlobs(location: location) { address, size in
                count += 1
                if try await !objects.isWhole(address, size: size) {
                    findings.append("blob \(address.hash.hexadecimal) is missing or damaged")
                }
            }
        }
        await objects?.close()
        try conclude(findings, count)
    }

    private func conclude(_ findings: [String], _ blobs: Int) throws {
        guard findings.isEmpty else {
            for finding in findings { say(finding) }
            let what = amount(findings.count, "finding")
            throw BatonError(.dataLoss, reason: "damaged", "\(what). Put back a copy of what is damaged.")
        }
        say("All is well: the database is whole, and so \(blobs == 1 ? "is" : "are") \(amount(blobs, "blob")).")
    }
}
