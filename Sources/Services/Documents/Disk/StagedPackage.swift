import BatonCore
import FileSync
import Glibc

/// A package in staging that is being unpacked. Nothing of it is in the tree before all of it is there.
///
/// `@unchecked Sendable`: used on the queue of its container only.
final class StagedPackage: StagedContent, @unchecked Sendable {
    let name: [UInt8]
    private let package: OpenNode
    private var parser = PackageParser()
    private var item: PackageArchive.Item?
    private var file: OpenNode?
    private var target: [UInt8] = []
    /// Modes to set when everything is in them, the innermost first.
    private var directories: [(path: [UInt8], mode: UInt16)] = []

    init(name: [UInt8], package: OpenNode) {
        self.name = name
        self.package = package
    }

    func write(_ bytes: [UInt8]) throws {
        for event in try parser.take(bytes) {
            switch event {
            case .item(let item): try begin(item)
            case .bytes(let bytes):
                if let file { try StagedFile.write(bytes, to: file) } else { target += bytes }
            case .itemEnd: try end()
            }
        }
    }

    private func begin(_ item: PackageArchive.Item) throws {
        self.item = item
        target = []
        let (directory, name) = try place(of: item)
        switch item.kind {
        case .directory:
            guard mkdirat(directory.number, name, 0o700) == 0 else { throw DiskFailure("make a folder of a package") }
            directories.append((item.path, item.mode))
        case .file:
            file = try OpenNode(
                openat(directory.number, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600),
                "make a file of a package")
        case .symbolicLink: break
        }
    }

    private func end() throws {
        guard let item else { return }
        defer { (self.item, file) = (nil, nil) }
        switch item.kind {
        case .directory: break
        case .file:
            guard let file else { return }
            guard fchmod(file.number, mode_t(item.mode)) == 0 else { throw DiskFailure("set a mode") }
            try FileAttributes.write([.modified: .time(item.modified)], to: file.number)
            guard fsync(file.number) == 0 else { throw DiskFailure("write a file of a package") }
        case .symbolicLink:
            let (directory, name) = try place(of: item)
            guard !target.contains(0),
                symlinkat(target.map { CChar(bitPattern: $0) } + [0], directory.number, name) == 0
            else { throw DiskFailure("make a link of a package") }
        }
    }

    private func place(of item: PackageArchive.Item) throws(DiskFailure) -> (OpenNode, [CChar]) {
        guard let slash = item.path.lastIndex(of: 0x2F) else {
            return (package, item.path.map { CChar(bitPattern: $0) } + [0])
        }
        let name = item.path[(slash + 1)...].map { CChar(bitPattern: $0) } + [0]
        return (try PackageTree.open(Array(item.path[..<slash]), in: package), name)
    }

    func close(_ metadata: [MetadataKey: ByteString]) throws {
        try parser.finish()
        for (path, mode) in directories.reversed() {
            let folder = try PackageTree.open(path, in: package)
            // This user must be able to replace what is in it.
            guard fchmod(folder.number, mode_t(mode | 0o700)) == 0 else { throw DiskFailure("set a mode") }
            guard fsync(folder.number) == 0 else { throw DiskFailure("write a folder of a package") }
        }
        try FileAttributes.write(metadata.filter { $0.key != .modified }, to: package.number)
        guard fsync(package.number) == 0 else { throw DiskFailure("write a package") }
    }
}
