package import BatonCore
import Files
import Foundation
import Glibc

/// Reads the files of a transfer, one after the other. Used by one task at a time; blocks.
package final class TransferReader: @unchecked Sendable {
    private let items: LocalItems
    private var place: TransferPlace
    private var tags: PartTags
    /// -1 for none.
    private var descriptor: Int32 = -1

    package init(_ items: LocalItems, from place: TransferPlace, tags: PartTags) {
        self.items = items
        self.place = place
        self.tags = tags
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The next parts, with so many bytes together; empty at the end.
    /// - Throws: `aborted` with reason `source_changed` when a file is not as it was offered; what cannot be read.
    package func next(_ size: Int) throws(BatonError) -> [TransferPart] {
        var parts: [TransferPart] = []
        var rest = size
        while rest > 0, items.manifest.entries.indices.contains(place.entry) {
            let entry = items.manifest.entries[place.entry]
            guard entry.kind == .file, place.offset < entry.size else {
                try checkEmpty(entry)
                advance()
                continue
            }
            let path = items.paths[place.entry]
            if descriptor < 0 { try openFile(path) }
            let data = try read(Int(min(UInt64(rest), entry.size - place.offset)), path)
            parts.append(
                TransferPart(entry: place.entry, offset: place.offset, data: data, tag: try tags.next(for: data)))
            rest -= data.count
            place.offset += UInt64(data.count)
            // Looked at after the last byte: what was written meanwhile may be in the middle of it.
            if place.offset == entry.size,
                FileStatus(descriptor: descriptor)?.version != items.versions[place.entry]
            {
                throw Self.changed(path)
            }
        }
        return parts
    }

    private func advance() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
        place = TransferPlace(entry: place.entry + 1)
    }

    private func checkEmpty(_ entry: TransferManifest.Entry) throws(BatonError) {
        guard entry.kind == .file, entry.size == 0 else { return }
        guard let status = FileStatus(items.paths[place.entry], followsLink: true), status.size == 0, status.isFile
        else {
            throw Self.changed(items.paths[place.entry])
        }
    }

    private func openFile(_ path: String) throws(BatonError) {
        let descriptor = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw LocalItems.unreadable(path) }
        guard let status = FileStatus(descriptor: descriptor), status.isFile,
            status.version == items.versions[place.entry]
        else {
            close(descriptor)
            throw Self.changed(path)
        }
        self.descriptor = descriptor
    }

    private func read(_ wanted: Int, _ path: String) throws(BatonError) -> Data {
        var data = Data(count: wanted)
        let offset = place.offset
        let count = data.withUnsafeMutableBytes { buffer in
            try? FileIO.readAll(descriptor, into: buffer, at: offset) { _ in Self.changed(path) }
        }
        guard count == wanted else { throw Self.changed(path) }
        return data
    }

    package static func changed(_ path: String) -> BatonError {
        BatonError(
            .aborted, reason: "source_changed",
            "“\(URL(fileURLWithPath: path).lastPathComponent)” changed while it was sent. Send it again.")
    }
}
