import BatonCore
import FileSync
import Foundation
import Glibc

/// Files of the folder that stay on this device.
extension ContainerReader {
    /// Why something on the disk is no item; nil where nothing is there, or where it is to become one.
    /// - Parameter path: in the container.
    func leftOut(_ path: String) -> (finding: String, advice: String)? {
        let names = path.utf8.split(separator: UInt8(ascii: "/")).map { Array($0) }
        if isCopiedPlaceholder(names) {
            return (
                "it is a copy of a placeholder, and has none of the contents: it stays on this device",
                "Delete it, fetch the contents with “baton download”, and copy those."
            )
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: self.path + "/" + path)
        guard !names.isEmpty, let kind = attributes?[.type] as? FileAttributeType else { return nil }
        guard [.typeDirectory, .typeRegular, .typeSymbolicLink].contains(kind) else {
            return ("it is neither a file, a directory nor a link: it stays on this device", "")
        }
        if let name = names.first(where: { IgnoreRules.isTemporary($0) || IgnoreRules.ignores($0) }) {
            return (
                "what is called like “\(String(decoding: name, as: UTF8.self).shortened(toBytes: 200))” is of one program or system: it "
                    + "stays on this device", "Give it another name."
            )
        }
        guard disk.ignoring?.ignores(names, isDirectory: kind == .typeDirectory) == true else { return nil }
        return (
            "a rule of .batonignore names it, or a directory that it is in: it stays on this device",
            "Change the rules in “\(self.path)/.batonignore” to have it elsewhere, too."
        )
    }

    /// - Parameter names: of the file, or of what it would stand for.
    private func isCopiedPlaceholder(_ names: [[UInt8]]) -> Bool {
        guard let name = names.last.flatMap({ try? EntryName($0) }) else { return false }
        let folder = ([Array(self.path.utf8)] + names.dropLast()).joined(separator: [0x2F]).map {
            CChar(bitPattern: $0)
        }
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        guard let directory = try? OpenNode(open(folder + [0], flags), "open a folder") else { return false }
        return [name, PlaceholderName.placeholder(for: name)].contains { name in
            guard let node = try? DiskNode.look(directory.number, name.bytes) else { return false }
            return disk.isCopiedPlaceholder(node, directory, name.bytes)
        }
    }
}
