import BatonCore
import CLinux
import FileSync
import Glibc

/// Everything in a package, as it is on the disk, and the fingerprint that stands for all of it.
struct PackageTree {
    struct Item {
        var path: [UInt8]
        var node: DiskNode
        var kind: PackageArchive.Kind
    }

    private static let resolve = UInt64(RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV)
    private static let maximumDepth = 64

    /// In the order of their paths.
    private(set) var items: [Item] = []
    /// Whether all of it could be listed.
    private(set) var isWhole = true

    /// - Parameter willList: called with each directory in it, before it is listed.
    init(_ package: OpenNode, willList: (OpenNode, LocalHandle) -> Void = { _, _ in }) {
        list(package, [], willList, depth: 0)
        items.sort { $0.path.lexicographicallyPrecedes($1.path) }
    }

    private mutating func list(
        _ directory: OpenNode, _ path: [UInt8], _ willList: (OpenNode, LocalHandle) -> Void, depth: Int
    ) {
        guard depth < Self.maximumDepth, items.count <= PackageArchive.maximumItems,
            let own = try? DiskNode.look(directory.number)
        else {
            isWhole = false
            return
        }
        willList(directory, own.handle)
        guard let names = try? ContainerDisk.names(in: directory.number) else {
            isWhole = false
            return
        }
        for name in names {
            // Gone meanwhile, or neither file, folder nor link.
            guard let node = try? DiskNode.look(directory.number, name), let kind = node.kind else { continue }
            let below = path.isEmpty ? name : path + [0x2F] + name
            switch kind {
            case .file: items.append(Item(path: below, node: node, kind: .file))
            case .symbolicLink: items.append(Item(path: below, node: node, kind: .symbolicLink))
            case .directory, .package:
                items.append(Item(path: below, node: node, kind: .directory))
                guard let inner = try? Self.open(name, in: directory) else {
                    isWhole = false
                    continue
                }
                list(inner, below, willList, depth: depth + 1)
            }
        }
    }

    /// A directory below another one.
    static func open(_ path: [UInt8], in directory: OpenNode) throws(DiskFailure) -> OpenNode {
        let path = path.isEmpty ? [0x2E] : path
        return try OpenNode(
            baton_openat2(
                directory.number, path.map { CChar(bitPattern: $0) } + [0],
                UInt64(O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), 0, resolve), "open a folder of a package")
    }

    /// Another one whenever something in it is: names, contents, modes. The package's own name, time and mode do not count.
    var fingerprint: Fingerprint {
        // FNV-1a
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        func add(_ number: UInt64) {
            for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
        }
        var (size, modified) = (UInt64(0), Int64(0))
        for item in items {
            add(item.kind.rawValue)
            add(UInt64(item.path.count))
            for byte in item.path { add(byte) }
            add(UInt64(item.node.mode))
            guard item.kind != .directory else { continue }
            let node = item.node.fingerprint
            add(node.size)
            add(UInt64(bitPattern: node.modified))
            add(UInt64(bitPattern: node.changed))
            size = size &+ node.size
            if item.kind == .file { modified = max(modified, node.modified) }
        }
        if !isWhole { add(UInt8(1)) }
        return Fingerprint(size: size, modified: modified, changed: Int64(bitPattern: hash))
    }
}
