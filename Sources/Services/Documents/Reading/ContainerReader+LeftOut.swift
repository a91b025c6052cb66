import BatonCore
import FileSync
import Foundation

/// Files of the folder that stay on this device.
extension ContainerReader {
    /// Why something on the disk is no item; nil where nothing is there, or where it is to become one.
    /// - Parameter path: in the container.
    func leftOut(_ path: String) -> (finding: String, advice: String)? {
        let names = path.utf8.split(separator: UInt8(ascii: "/")).map { Array($0) }
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
}
