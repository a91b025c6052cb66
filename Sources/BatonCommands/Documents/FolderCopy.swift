import BatonCore
import Foundation
import Glibc

/// Copies a person's folder as it is, but for what is no document: pipes and the like, which would be waited for, and what Baton keeps.
/// An entry whose name is no UTF-8 is left out, and named.
enum FolderCopy {
    private static let ownNames: Set<String> = [".baton-folder", ".baton-reverted"]

    /// - Parameter target: is made, and must not be there.
    /// - Returns: the paths of what was left out, below the folder; what is no UTF-8 in them is shown as a replacement character.
    @discardableResult
    static func copy(_ source: String, to target: String) throws -> [String] {
        var leftOut: [String] = []
        try copy(source, to: target, path: "", &leftOut)
        return leftOut
    }

    /// - Parameter path: of the source below the folder, with a slash at its end; empty for the folder itself.
    private static func copy(_ source: String, to target: String, path: String, _ leftOut: inout [String]) throws {
        let files = FileManager.default
        try files.createDirectory(atPath: target, withIntermediateDirectories: path.isEmpty)
        for bytes in try names(in: source) {
            guard let name = String(validating: bytes, as: UTF8.self) else {
                leftOut.append(path + String(decoding: bytes, as: UTF8.self))
                continue
            }
            if path.isEmpty, ownNames.contains(name) { continue }
            let (from, to) = ("\(source)/\(name)", "\(target)/\(name)")
            switch try files.attributesOfItem(atPath: from)[.type] as? FileAttributeType {
            case .typeDirectory?: try copy(from, to: to, path: "\(path)\(name)/", &leftOut)
            case .typeRegular?, .typeSymbolicLink?: try files.copyItem(atPath: from, toPath: to)
            default: break
            }
        }
        let attributes = try files.attributesOfItem(atPath: source)
        try files.setAttributes(
            attributes.filter { [.posixPermissions, .modificationDate].contains($0.key) }, ofItemAtPath: target)
    }

    /// Foundation lists no directory with a name that is no UTF-8.
    private static func names(in directory: String) throws(BatonError) -> [[UInt8]] {
        guard let stream = opendir(directory) else { throw unreadable(directory) }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw unreadable(directory) }
                return names
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: UInt8.self, capacity: 256) { bytes in
                    Array(UnsafeBufferPointer(start: bytes, count: (0..<256).first { bytes[$0] == 0 } ?? 256))
                }
            }
            if name != [0x2E], name != [0x2E, 0x2E] { names.append(name) }
        }
    }

    private static func unreadable(_ directory: String, code: Int32 = errno) -> BatonError {
        BatonError(
            .unknown, reason: "unreadable_folder",
            "“\(directory.shortened(toBytes: 200))” cannot be read: \(String(cString: strerror(code)))")
    }
}
