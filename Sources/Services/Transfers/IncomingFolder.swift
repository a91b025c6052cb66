package import BatonCore
import Files
import Foundation
import Glibc
import Synchronization

/// The files of a transfer while they come: in a private folder beside their destination, until all of them are there.
///
/// It goes with everything in it unless it is delivered. Every function blocks on the disk; safe to call from any thread.
package final class IncomingFolder: Sendable {
    private struct State: ~Copyable {
        /// Nil when it is over.
        var folder: StagingFolder?
        var file: OwnedDescriptor?
        var entry = 0
    }

    private let manifest: TransferManifest
    package let destination: String
    private let state: Mutex<State>

    /// - Parameter destination: the absolute path of a folder that exists.
    /// - Throws: `disk_full`, also when the transfer does not fit; `file_access_denied`, `file_not_found`, `file_error`.
    package init(_ manifest: TransferManifest, in destination: String) throws(BatonError) {
        if let free = StagingFolder.freeBytes(at: destination), free < manifest.totalBytes {
            throw BatonError(
                .resourceExhausted, reason: "disk_full",
                "This device's disk has no room for \(ByteSize.text(manifest.totalBytes)). Free some space and have it sent again."
            )
        }
        self.manifest = manifest
        self.destination = destination
        state = Mutex(State(folder: try StagingFolder(in: destination)))
    }

    /// Writes parts that a ``TransferCursor`` has checked.
    package func write(_ parts: [TransferPart]) throws(BatonError) {
        try update { state throws(BatonError) in
            for part in parts {
                try prepare(upTo: part.entry, &state)
                guard state.entry == part.entry, let descriptor = state.file?.number else { throw Self.over }
                try Self.write(part.data, to: descriptor, at: part.offset)
                if part.offset + UInt64(part.data.count) == manifest.entries[part.entry].size { closeFile(&state) }
            }
        }
    }

    /// Moves everything into place.
    /// - Returns: the absolute paths of the items, whose names may have a number behind them.
    package func deliver() throws(BatonError) -> [String] {
        try update { state throws(BatonError) in
            try prepare(upTo: manifest.entries.count, &state)
            // A file with bytes that did not come keeps the rest from being shown as whole.
            guard state.entry == manifest.entries.count else { throw Self.over }
            // Last, so that no file was ever written through one.
            for link in manifest.links { try state.folder?.makeLink(link.path, to: link.target) }
            guard let folder = state.folder.take() else { throw Self.over }
            let names = try folder.deliver(manifest.topLevel.map(\.path))
            return names.map { "\(destination)/\($0)" }
        }
    }

    /// Removes the folder with everything in it. Does nothing once it is delivered.
    package func discard() {
        state.withLock { state in
            state.file = nil
            state.folder = nil
        }
    }

    /// Makes the folders and empty files that come before an entry, and the entry's own file.
    private func prepare(upTo entry: Int, _ state: inout State) throws(BatonError) {
        while state.entry < entry || state.entry == entry && entry < manifest.entries.count && state.file == nil {
            let next = manifest.entries[state.entry]
            guard state.folder != nil else { throw Self.over }
            switch next.kind {
            case .directory: try state.folder?.makeDirectory(next.path)
            case .file: state.file = try state.folder?.makeFile(next.path)
            }
            if next.kind == .directory || next.size == 0 {
                closeFile(&state)
            } else {
                return
            }
        }
    }

    private func closeFile(_ state: inout State) {
        let entry = manifest.entries[state.entry]
        if let file = state.file.take() {
            // A wrong time is no reason to refuse a file.
            let time = timespec(
                tv_sec: Int(clamping: entry.modified / 1000), tv_nsec: Int(entry.modified % 1000) * 1_000_000)
            _ = [time, time].withUnsafeBufferPointer { futimens(file.number, $0.baseAddress) }
            _ = fchmod(file.number, entry.isExecutable ? 0o700 : 0o600)
        }
        state.entry += 1
    }

    private static func write(_ data: Data, to file: Int32, at offset: UInt64) throws(BatonError) {
        try FileIO.writeAll(data, to: file, at: offset) { StagingFolder.failure("a file", errno: $0) }
    }

    private func update<Result: Sendable>(
        _ body: (inout State) throws(BatonError) -> Result
    ) throws(BatonError) -> Result {
        try state.withLock { state throws(BatonError) in try body(&state) }
    }

    private static let over = BatonError(
        .failedPrecondition, reason: "transfer_over", "The transfer is over already.")
}
