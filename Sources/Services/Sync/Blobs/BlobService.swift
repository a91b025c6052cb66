import BatonConcurrency
package import BatonCore
package import BatonStore
import BatonTrust
import Crypto
package import Foundation
import Synchronization

/// Contents that are too large for items: sealed files here, and in the account's cloud, which the device uploads before an item that
/// names them, and fetches when they are to be read.
///
/// A blob never changes. Its file here is its only copy until an item that names it was written to the cloud; from then on it
/// is a copy that may go when there are too many, the one that was not used for longest first. The cloud removes a blob that no
/// item names. Safe to use from any task.
package final class BlobService: Sendable {
    /// Bytes of what is put. A cloud may allow less (16 MiB unless its operator chose otherwise).
    package static let maximumSize: UInt64 = 63 << 20
    /// Bytes that are sent or asked for at once.
    static let partSize = 1 << 20
    /// Blobs that are uploaded or fetched side by side.
    static let transfers = 4
    /// A blob that was put and that no source needs is kept for so long: it may not have got its item yet.
    static let grace: UInt64 = 7 * 24 * 60 * 60 * 1000

    private struct State {
        var cloud: (any BlobCloud)?
        /// Known to be in the cloud as a whole, since the connection began. Bound: ``known``, then it is asked again.
        var delivered: Set<BlobID> = []
        /// Being fetched. Bound: callers.
        var locks: [BlobID: (lock: AsyncSemaphore, users: Int)] = [:]
    }

    static let known = 100_000

    let directory: BlobDirectory
    let catalog: BlobCatalog
    let cacheBytes: UInt64
    let clock: WallClock
    private let state = Mutex(State())

    /// - Parameters:
    ///   - database: with ``SyncStore/migrations``.
    ///   - path: of a directory that no other process writes to; made if need be.
    ///   - cacheBytes: how many bytes of blobs that the cloud has too are kept here.
    package init(
        database: DaemonDatabase, path: String, cacheBytes: UInt64 = 1 << 30, clock: WallClock = .system
    ) async throws {
        directory = try await BlockingQueue("development.baton.blobs-start").run { try BlobDirectory(path: path) }
        catalog = BlobCatalog(database: database)
        self.cacheBytes = cacheBytes
        self.clock = clock
        let (directory, known) = (directory, Set(try await catalog.all.keys))
        try await directory.run { directory.clean(known: known) }
    }

    // MARK: Putting

    /// Seals a blob and keeps it. When it returns, the blob survives a crash, and an item may name it.
    ///
    /// Cancelling leaves nothing.
    /// - Parameter bytes: in pieces of any size.
    /// - Throws: errors of reading them; `resource_exhausted`: `blob_too_large`, `disk_full`.
    package func put<Bytes: AsyncSequence>(_ bytes: Bytes) async throws -> BlobReference where Bytes.Element == Data {
        let writer = try await BlobWriter(directory)
        do {
            for try await piece in bytes {
                try Task.checkCancellation()
                try await writer.write(piece)
            }
            let (reference, file) = try await writer.finish()
            try await directory.run { [directory] in try directory.keep(file, as: reference.id) }
            try await catalog.add(
                reference.id, .init(size: reference.sealedSize, isOwn: true, used: clock.milliseconds))
            return reference
        } catch {
            writer.abandon()
            throw error
        }
    }

    package func put(_ bytes: Data) async throws -> BlobReference {
        try await put(
            AsyncStream { source in
                source.yield(bytes)
                source.finish()
            })
    }

    /// Another item is to name these. The cloud may have removed them since no item named them: so those that are here stay until that item
    /// is written.
    package func reuse(_ blobs: [BlobID]) async throws { try await catalog.own(blobs) }

    // MARK: Getting

    /// Whether it can be read without the cloud.
    package func isHere(_ reference: BlobReference) async throws -> Bool {
        try await catalog.entry(reference.id) != nil
    }

    package func isHere(_ blob: BlobID) async throws -> Bool { try await catalog.entry(blob) != nil }
    /// Whether it is here and no item that names it was written to the cloud.
    package func isOwn(_ blob: BlobID) async throws -> Bool { try await catalog.entry(blob)?.isOwn == true }

    /// The blob, which is fetched if it is not here. An interrupted or cancelled fetch continues where it was.
    /// - Parameters:
    ///   - near: who may have it besides the cloud. See ``NearBlobs``.
    ///   - progress: called now and then from any thread while it is fetched.
    /// - Throws: `unavailable` (`cloud_away`) while there is no connection; `not_found` (`unknown_blob`) when the cloud does not
    ///   have it; `data_loss` (`damaged_blob`) when what came is not the blob.
    package func get(
        _ reference: BlobReference, near: NearBlobs = NearBlobs(),
        progress: @escaping @Sendable (BlobProgress) -> Void = { _ in }
    ) async throws -> BlobFile {
        try await alone(reference.id) {
            let time = clock.milliseconds
            if let entry = try await catalog.entry(reference.id) {
                do {
                    let file = try await open(reference)
                    // The order of use, to the hour.
                    if time > entry.used + 3_600_000 { try await catalog.touch(reference.id, at: time) }
                    return file
                } catch let error as BatonError where !entry.isOwn && error.code != .resourceExhausted {
                    // The file was removed or truncated: it is fetched again.
                    try await drop([reference.id])
                }
            }
            try await fetch(reference, near, progress)
            let file = try await open(reference)
            // The open file stays readable even if trimming removes it. Without the cloud nothing that is here could come again.
            if cloud != nil { try await trim() }
            return file
        }
    }

    private func open(_ reference: BlobReference) async throws -> BlobFile {
        try await directory.run { [directory] in
            let file = try directory.open(reference.id)
            guard try file.size == reference.sealedSize else { throw Self.damaged }
            return BlobFile(file: file, reference: reference, directory: directory)
        }
    }

    /// One at a time for each blob.
    private func alone<Value>(_ blob: BlobID, _ body: () async throws -> Value) async throws -> Value {
        let lock = state.withLock { state in
            let lock = state.locks[blob]?.lock ?? AsyncSemaphore(1)
            state.locks[blob] = (lock, (state.locks[blob]?.users ?? 0) + 1)
            return lock
        }
        defer {
            state.withLock { state in
                let users = (state.locks[blob]?.users ?? 1) - 1
                state.locks[blob] = users > 0 ? (lock, users) : nil
            }
        }
        return try await lock.withPermit(body)
    }

    // MARK: The cloud

    func connected(to cloud: any BlobCloud) {
        state.withLock { state in
            state.cloud = cloud
            state.delivered = []
        }
    }

    var cloud: (any BlobCloud)? { state.withLock { $0.cloud } }

    func disconnected() { state.withLock { $0.cloud = nil } }

    /// Sees to it that the cloud has these, going on where an upload was cut.
    /// - Parameter atOnce: how many the cloud may be asked for.
    /// - Returns: those that are neither there nor here.
    func deliver(_ blobs: Set<BlobID>, to cloud: any BlobCloud, atOnce: Int = 1000) async throws -> Set<BlobID> {
        let unsure = state.withLock { blobs.subtracting($0.delivered) }.sorted()
        guard !unsure.isEmpty else { return [] }
        var absent: Set<BlobID> = []
        for start in stride(from: 0, to: unsure.count, by: atOnce) {
            let some = Array(unsure[start..<min(start + atOnce, unsure.count)])
            let missing = try await cloud.missing(some)
            // The small ones first: where the account has little room, what is small still goes.
            let sizes = missing.count > 1 ? try await catalog.all : [:]
            var rest = missing.sorted {
                (sizes[$0.key]?.size ?? 0, $0.key) < (sizes[$1.key]?.size ?? 0, $1.key)
            }[...]
            absent.formUnion(
                try await withThrowingTaskGroup(of: BlobID?.self) { group in
                    var absent: Set<BlobID> = []
                    for _ in 0..<Self.transfers {
                        guard let (blob, received) = rest.popFirst() else { break }
                        group.addTask { try await self.bring(blob, from: received, to: cloud) ? nil : blob }
                    }
                    while let result = try await group.next() {
                        if let result { absent.insert(result) }
                        guard let (blob, received) = rest.popFirst() else { continue }
                        group.addTask { try await self.bring(blob, from: received, to: cloud) ? nil : blob }
                    }
                    return absent
                })
        }
        noteDelivered(Set(unsure).subtracting(absent))
        return absent
    }

    private func noteDelivered(_ delivered: Set<BlobID>) {
        state.withLock { state in
            if state.delivered.count + delivered.count > Self.known { state.delivered = [] }
            state.delivered.formUnion(delivered)
        }
    }

    /// Whether all of these are known to be in the cloud.
    func areDelivered(_ blobs: some Sequence<BlobID>) -> Bool {
        state.withLock { $0.delivered.isSuperset(of: blobs) }
    }

    /// It is known to be there, whatever becomes of others.
    private func bring(_ blob: BlobID, from received: UInt64, to cloud: any BlobCloud) async throws -> Bool {
        guard try await upload(blob, from: received, to: cloud) else { return false }
        noteDelivered([blob])
        return true
    }

    /// - Returns: false when it is not here.
    private func upload(_ blob: BlobID, from received: UInt64, to cloud: any BlobCloud) async throws -> Bool {
        let directory = directory
        guard try await catalog.entry(blob) != nil,
            let file = try? await directory.run({ try directory.open(blob) }),
            let size = try? await directory.run({ try file.size })
        else { return false }
        var done = min(received, size)
        repeat {
            try Task.checkCancellation()
            let offset = done
            let bytes = try await directory.run { try file.read(Self.partSize, at: offset) }
            try await cloud.put(bytes, at: offset, of: blob, size: size)
            guard !bytes.isEmpty || size == offset else { return false }
            done += UInt64(bytes.count)
        } while done < size
        return true
    }

    /// The cloud has said that it does not have something that it had.
    func doubt() { state.withLock { $0.delivered = [] } }

    /// Items that name these are in the cloud.
    func shared(_ blobs: Set<BlobID>) async throws {
        guard !blobs.isEmpty else { return }
        try await catalog.share(blobs)
        try await trim()
    }

    // MARK: Room

    /// Removes blobs that no item names any more, here and in the cloud.
    /// - Parameter areUnwritten: no item has named them, so that there is a file of each here that is of no use now.
    /// - Returns: how many bytes the cloud removes of them; 0 where it does so in its own time, a day later.
    /// - Throws: `unavailable` (`cloud_away`) while there is no connection.
    package func release(_ blobs: Set<BlobID>, areUnwritten: Bool) async throws -> UInt64 {
        guard !blobs.isEmpty else { return 0 }
        if areUnwritten { try await drop(Array(blobs)) }
        guard let cloud else { throw Self.away }
        state.withLock { $0.delivered.subtract(blobs) }
        var bytes: UInt64 = 0
        let all = blobs.sorted()
        for start in stride(from: 0, to: all.count, by: Self.releasedAtOnce) {
            do {
                let some = Array(all[start..<min(start + Self.releasedAtOnce, all.count)])
                // The cloud may say any number.
                let (sum, isTooGreat) = bytes.addingReportingOverflow(try await cloud.release(some))
                bytes = isTooGreat ? .max : sum
            } catch let error as BatonError where error.code == .unimplemented {
                return 0
            }
        }
        return bytes
    }

    static let releasedAtOnce = 500

    private func trim() async throws {
        let excess = try await catalog.excess(over: cacheBytes)
        if !excess.isEmpty { try await drop(excess) }
    }

    private func drop(_ blobs: [BlobID]) async throws {
        try await catalog.remove(blobs)
        try await directory.run { [directory] in for blob in blobs { directory.remove(blob) } }
    }

    /// Removes what was put, got no item within a week, and is not needed.
    /// - Parameters:
    ///   - needed: which of these a source has an item for, that is to be written yet.
    ///   - named: which of these an item names at all. They are copies of what the cloud has, and leave as such.
    func collect(
        _ needed: (Set<BlobID>) async throws -> Set<BlobID>, named: (Set<BlobID>) async throws -> Set<BlobID>
    ) async throws {
        let now = clock.milliseconds
        let old = Set(
            try await catalog.all.filter { $0.value.isOwn && now > $0.value.used + Self.grace }.keys)
        if !old.isEmpty {
            let unneeded = old.subtracting(try await needed(old))
            let shared = try await named(unneeded).intersection(unneeded)
            try await catalog.share(shared)
            try await drop(Array(unneeded.subtracting(shared)))
        }
        try await directory.run { [directory] in directory.cleanParts(olderThan: Double(Self.grace) / 1000) }
    }

    static let damaged = BatonError(
        .dataLoss, reason: "damaged_blob",
        "A file's contents in the cloud are damaged, or not what a device of this account wrote.")
    static let away = BatonError(
        .unavailable, reason: "cloud_away",
        "The contents are in the account's cloud, which cannot be reached now. They come when this is asked again.")
}
