import ArgumentParser
import BatonCore
import Foundation
import NIOPosix

/// `baton-cloud verify`
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Looks through everything that is kept, and says what is wrong.",
        discussion: """
            Reads the whole database and every blob, and changes nothing. The server may be running.
            Exit codes: 0 when all is well, 1 when something is wrong.
            """)

    @OptionGroup var data: DataOption

    func run() async throws {
        try await explaining {
            let folder = try data.path
            let path = CloudServer.databasePath(in: folder)
            guard FileManager.default.fileExists(atPath: path) else {
                throw BatonError(.notFound, reason: "no_data", "There is no data of a cloud in “\(folder)”.")
            }
            var findings = try CloudDatabase.findings(path: path)
            var count = 0
            if findings.isEmpty {
                let store = try DirectoryBlobStore(directory: folder + "/blobs", threads: NIOThreadPool.singleton)
                for (address, size) in try CloudDatabase.completeBlobs(path: path) {
                    count += 1
                    if !store.isWhole(address, size: size) {
                        findings.append("blob \(address.hash.hexadecimal) is missing or damaged")
                    }
                }
            }
            guard findings.isEmpty else {
                for finding in findings { say(finding) }
                throw BatonError(
                    .dataLoss, reason: "damaged", "\(findings.count) findings. Put back a copy of what is damaged.")
            }
            say("All is well: the database is whole, and so are \(count) blobs.")
        }
    }
}
