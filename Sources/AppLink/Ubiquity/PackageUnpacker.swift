import BatonCore
package import Foundation

/// Makes a package of the archive that the daemon keeps of it, in a folder of its own.
package final class PackageUnpacker {
    private let package: URL
    private var parser = PackageParser()
    private var item: PackageArchive.Item?
    private var file: FileHandle?
    private var target: [UInt8] = []

    /// - Parameter package: where it is to be; nothing is there.
    package init(_ package: URL) throws {
        self.package = package
        try FileManager.default.createDirectory(at: package, withIntermediateDirectories: false)
    }

    package func write(_ data: Data) throws {
        for event in try parser.take(Array(data)) {
            switch event {
            case .item(let item): try begin(item)
            case .bytes(let bytes): if let file { try file.write(contentsOf: Data(bytes)) } else { target += bytes }
            case .itemEnd: try end()
            }
        }
    }

    package func finish() throws { try parser.finish() }

    private func begin(_ item: PackageArchive.Item) throws {
        (self.item, target) = (item, [])
        let path = try path(of: item)
        switch item.kind {
        case .directory: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        case .file:
            guard FileManager.default.createFile(atPath: path, contents: nil) else { throw PackageArchive.refusal }
            file = FileHandle(forWritingAtPath: path)
        case .symbolicLink: break
        }
    }

    private func end() throws {
        guard let item else { return }
        defer { (self.item, file) = (nil, nil) }
        try file?.close()
        let path = try path(of: item)
        switch item.kind {
        case .directory: break
        case .file:
            try FileManager.default.setAttributes(
                [
                    .posixPermissions: Int(item.mode),
                    .modificationDate: Date(timeIntervalSince1970: Double(item.modified) / 1e9),
                ], ofItemAtPath: path)
        case .symbolicLink:
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: String(decoding: target, as: UTF8.self))
        }
    }

    /// The parser has made sure that it leads nowhere else.
    private func path(of item: PackageArchive.Item) throws -> String {
        guard let path = String(validating: item.path, as: UTF8.self) else { throw PackageArchive.refusal }
        return package.path + "/" + path
    }
}
