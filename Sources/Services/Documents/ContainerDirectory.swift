import BatonCore
import Foundation
import Glibc

/// The account's containers, whatever apps this device has: an empty file for each, in the person's own container, which every device
/// has.
struct ContainerDirectory: Sendable {
    /// More names are passed over.
    private static let maximum = 4096

    /// In the person's container, beside `Documents`.
    let path: String

    init(drive: String) { path = "\(drive)/\(Self.folder)" }

    private static let folder = "Containers"

    /// Where a container is noted, below the person's own.
    static func path(of name: ContainerName) -> String { "\(folder)/\(file(name))" }

    /// Blocks.
    func add(_ names: [ContainerName]) {
        let missing = names.filter { $0 != .drive && access("\(path)/\(Self.file($0))", F_OK) != 0 }
        guard !missing.isEmpty else { return }
        mkdir(path, 0o700)
        for name in missing {
            let file = open("\(path)/\(Self.file(name))", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            if file >= 0 { close(file) }
        }
    }

    /// Blocks.
    func remove(_ name: ContainerName) throws(DiskFailure) {
        guard unlink("\(path)/\(Self.file(name))") == 0 || errno == ENOENT else {
            throw DiskFailure("take a folder off the account's list")
        }
    }

    private static func file(_ name: ContainerName) -> String { "\(name.teamName)~\(name.identifier)" }

    /// Blocks.
    var names: [ContainerName] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return files.prefix(Self.maximum).compactMap { file in
            let parts = file.split(separator: "~", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { return nil }
            return ContainerName(teamName: parts[0], identifier: parts[1])
        }.sorted()
    }
}
