import BatonCore
import FileSync
import Foundation
import Glibc

/// Files of the folder that stay on this device.
extension ContainerReader {
    /// Why something on the disk is no item; nil where nothing is there, or where it is to become one.
    /// - Parameter path: in the container.
    func leftOut(_ path: DocumentPath) -> (finding: String, advice: String)? {
        let names = path.names
        guard let name = names.last.flatMap({ try? EntryName($0) }), let directory = directory(names.dropLast()) else {
            return nil
        }
        if isCopiedPlaceholder(name, in: directory) {
            return (
                "it is a copy of a placeholder, and has none of the contents: it stays on this device",
                "Delete it, fetch the contents with “baton download”, and copy those."
            )
        }
        guard let node = try? DiskNode.look(directory.number, name.bytes) else { return nil }
        guard let kind = node.kind else {
            return ("it is neither a file, a directory nor a link: it stays on this device", "")
        }
        if let name = names.first(where: { IgnoreRules.isTemporary($0) || IgnoreRules.ignores($0) }) {
            return (
                "what is called like “\(String(decoding: name, as: UTF8.self).shortened(toBytes: 200))” is of one program or system: it "
                    + "stays on this device", "Give it another name."
            )
        }
        guard disk.ignoring?.ignores(names, isDirectory: kind == .directory) == true else { return nil }
        return (
            "a rule of .batonignore names it, or a directory that it is in: it stays on this device",
            "Change the rules in “\(self.path)/.batonignore” to have it elsewhere, too."
        )
    }

    private func directory(_ names: some Sequence<[UInt8]>) -> OpenNode? {
        let folder = ([Array(self.path.utf8)] + names).joined(separator: [0x2F]).map { CChar(bitPattern: $0) }
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        return try? OpenNode(open(folder + [0], flags), "open a folder")
    }

    /// - Parameter name: of the file, or of what it would stand for.
    private func isCopiedPlaceholder(_ name: EntryName, in directory: OpenNode) -> Bool {
        [name, PlaceholderName.placeholder(for: name)].contains { name in
            guard let node = try? DiskNode.look(directory.number, name.bytes) else { return false }
            return disk.isCopiedPlaceholder(node, directory, name.bytes)
        }
    }
}
