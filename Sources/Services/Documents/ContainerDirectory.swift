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

    init(drive: String) { path = drive + "/Containers" }

    /// Blocks.
    func add(_ names: [ContainerName]) {
        let missing = names.filter { $0 != .drive && access(file($0), F_OK) != 0 }
        guard !missing.isEmpty else { return }
        mkdir(path, 0o700)
        for name in missing {
            let file = open(file(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            if file >= 0 { close(file) }
        }
    }

    private func file(_ name: ContainerName) -> String { "\(path)/\(name.teamName)~\(name.identifier)" }

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
