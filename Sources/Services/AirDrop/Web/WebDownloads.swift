import AirDropProtocol
import BatonCore
import Foundation
import Transfers

/// The downloads that a browser can have from a one-time address: files, and folders that are packed while they are sent.
struct WebDownloads: Sendable {
    struct Item: Sendable {
        enum Source: Sendable {
            case file(path: String)
            case folder(ZipPlan)
        }

        var name: String
        /// As it is downloaded.
        var size: UInt64
        var source: Source

        /// The type of a picture that browsers show; nil for anything else.
        var pictureType: String? {
            guard case .file = source, size <= Self.largestPicture else { return nil }
            return Self.pictures[URL(fileURLWithPath: name).pathExtension.lowercased()]
        }

        private static let largestPicture: UInt64 = 32 << 20
        /// None that can hold a program, as SVG can.
        private static let pictures = [
            "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
            "avif": "image/avif", "bmp": "image/bmp",
        ]
    }

    let items: [Item]
    let totalBytes: UInt64
    /// Each item can be had once; else as often as a browser asks for it, for as long as the address is open.
    let isOnce: Bool

    /// Walks the folders. Blocks on the disk.
    /// - Throws: as ``LocalItems``.
    init(paths: [String], isOnce: Bool) throws(BatonError) {
        let local = try LocalItems(paths: paths)
        var items: [Item] = []
        for (number, entry) in local.manifest.entries.enumerated() where entry.isTopLevel {
            switch entry.kind {
            case .file:
                items.append(
                    Item(name: entry.path, size: entry.size, source: .file(path: local.paths[number])))
            case .directory:
                let plan = try ZipPlan(local, folder: entry.path)
                items.append(Item(name: entry.path + ".zip", size: plan.size, source: .folder(plan)))
            }
        }
        self.items = items
        totalBytes = items.reduce(0) { $0 + $1.size }
        self.isOnce = isOnce
    }

    /// Opens one of them. Blocks on the disk.
    func open(_ number: Int) throws(BatonError) -> any WebSource {
        switch items[number].source {
        case .file(let path): try WebFile(path, size: items[number].size)
        case .folder(let plan): ZipReader(plan)
        }
    }
}

/// Bytes for a browser. Used by one task at a time; blocks.
protocol WebSource: AnyObject, Sendable {
    /// - Returns: at most so many bytes; nil at the end.
    /// - Throws: `source_changed` for what is not as it was announced.
    func next(_ size: Int) throws(BatonError) -> [UInt8]?
}
