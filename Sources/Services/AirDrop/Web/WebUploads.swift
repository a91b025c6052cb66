import AirDropProtocol
import BatonCore
import Files
import Glibc
import NIOCore
import Synchronization

/// Files that a browser uploads: in a private folder beside their destination until all are there. It goes with
/// everything in it unless it is delivered. Every function blocks on the disk; safe to call from any thread.
final class WebUploads: Sendable {
    /// Bytes of the disk that stay free.
    private static let reserve: UInt64 = 64 << 20

    private struct State: ~Copyable {
        /// Nil when it is over.
        var folder: StagingFolder?
        var names = SafeNames()
        /// The files of the batch that are here as a whole.
        var complete: [String] = []
        /// Bytes that may still come, those of files that broke off among what was taken.
        var room: UInt64
        /// The bytes of those files.
        var bytes: UInt64 = 0
    }

    private let destination: String
    private let state: Mutex<State>

    /// - Throws: as ``StagingFolder``.
    init(in destination: String) throws(BatonError) {
        try ReceivedItems.prepare(destination)
        let free = StagingFolder.freeBytes(at: destination) ?? .max
        self.destination = destination
        state = Mutex(
            State(folder: try StagingFolder(in: destination), room: free > Self.reserve ? free - Self.reserve : 0))
    }

    var bytes: UInt64 { state.withLock { $0.bytes } }

    /// - Parameter length: as far as it is known.
    /// - Throws: `resource_exhausted` with reason `disk_full`.
    func begin(_ name: String, length: UInt64?) throws(BatonError) -> WebUpload {
        try state.withLock { state throws(BatonError) in
            guard length ?? 0 <= state.room else { throw Self.full }
            let name = state.names.add(Array(name.utf8))
            guard let file = try state.folder?.makeFile(name) else { throw Self.over }
            return WebUpload(file, name: name)
        }
    }

    func write(_ bytes: ByteBuffer, to file: WebUpload) throws(BatonError) {
        try state.withLock { state throws(BatonError) in
            let count = UInt64(bytes.readableBytes)
            guard state.folder != nil else { throw Self.over }
            guard count <= state.room else { throw Self.full }
            state.room -= count
        }
        try file.write(bytes)
    }

    /// - Parameter bytes: of the file.
    func complete(_ file: WebUpload, bytes: UInt64) {
        state.withLock { state in
            state.complete.append(file.name)
            state.bytes += bytes
        }
    }

    /// The part of the batch that has come is not delivered.
    func forget() {
        state.withLock { state in
            state.complete = []
            state.bytes = 0
        }
    }

    /// - Returns: absolute paths.
    func deliver() throws(BatonError) -> [String] {
        let names = try state.withLock { state throws(BatonError) -> [String] in
            guard let folder = state.folder.take() else { throw Self.over }
            return try folder.deliver(state.complete)
        }
        return names.map { "\(destination)/\($0)" }
    }

    /// Removes what is not delivered.
    func end() { state.withLock { $0.folder = nil } }

    private static let full = BatonError(
        .resourceExhausted, reason: "disk_full",
        "The disk of the other device has no room for it. Nothing was kept.")
    private static let over = BatonError(
        .notFound, reason: "web_address_used", "There is nothing more at this address. Ask for a new one.")
}

/// A file that comes.
final class WebUpload: Sendable {
    private let file: OwnedDescriptor
    let name: String

    init(_ file: consuming OwnedDescriptor, name: String) {
        self.file = file
        self.name = name
    }

    func write(_ bytes: ByteBuffer) throws(BatonError) {
        let failure = bytes.withUnsafeReadableBytes { buffer -> BatonError? in
            do throws(BatonError) {
                try FileIO.writeAll(buffer, to: file.number) {
                    StagingFolder.failure("“\(SafeName.display(name))”", errno: $0)
                }
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }
}
