import AirDropProtocol
import BatonCore
import Files
import Glibc

/// Performs in a ``StagingFolder`` what a ``ArchiveLayout`` decides, event by event. Blocks.
struct ArchiveUnpacker: ~Copyable {
    private var layout: ArchiveLayout
    private var folder: StagingFolder
    /// The file whose data comes now.
    private var file: OwnedDescriptor?
    private var path = ""
    private var modified: UInt64 = 0
    /// The target of the link whose data comes now.
    private var target: [UInt8]?
    /// Made last, so that nothing is ever written through one.
    private var links: [(path: String, target: String)] = []
    private(set) var progress = ArchiveExtractor.Progress()

    init(_ files: [OfferedFile], in destination: String, limits: ArchiveLimits) throws(BatonError) {
        layout = ArchiveLayout(files, limits: limits)
        folder = try StagingFolder(in: destination)
    }

    mutating func handle(_ event: ArchiveEvent) throws(BatonError) {
        switch event {
        case .entry(let entry): try begin(entry)
        case .data(let bytes): try write(bytes)
        case .endOfEntry: try end()
        case .end: break
        }
    }

    /// - Returns: the names of what was delivered.
    mutating func deliver() throws(BatonError) -> [String] {
        try layout.finish()
        for link in links { try folder.makeLink(link.path, to: link.target) }
        return try folder.deliver(layout.delivered)
    }

    private mutating func begin(_ entry: ArchiveEntry) throws(BatonError) {
        let placement = try layout.place(entry)
        if placement != .skipped { progress.items += 1 }
        switch placement {
        case .skipped: break
        case .directory(let path): try folder.makeDirectory(path)
        case .file(let path):
            (self.path, modified) = (path, entry.modified)
            file = try folder.makeFile(path)
        case .link(let path): (self.path, target) = (path, [])
        }
    }

    private mutating func write(_ bytes: UnsafeRawBufferPointer) throws(BatonError) {
        if let descriptor = file?.number {
            try Self.write(bytes, to: descriptor, path)
            progress.bytes += UInt64(bytes.count)
        } else if let start = target {
            guard start.count + bytes.count <= ArchiveLayout.maximumTarget else {
                throw ArchiveError.refused(
                    "archive_unsafe_link", "the link “\(SafeName.display(path))” is too long")
            }
            target = start + bytes
        }
    }

    private mutating func end() throws(BatonError) {
        if let target { links.append((path, try layout.link(at: path, to: target))) }
        target = nil
        guard let file = file.take() else { return }
        // Without it pictures are sorted wrongly, which is no reason to refuse them.
        let time = timespec(tv_sec: Int(clamping: modified), tv_nsec: 0)
        _ = [time, time].withUnsafeBufferPointer { futimens(file.number, $0.baseAddress) }
    }

    private static func write(
        _ bytes: UnsafeRawBufferPointer, to file: Int32, _ path: String
    ) throws(BatonError) {
        try FileIO.writeAll(bytes, to: file) { StagingFolder.failure("“\(SafeName.display(path))”", errno: $0) }
    }
}
