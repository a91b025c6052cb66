package import BatonCore
import Dispatch
import Files
import Foundation
import Synchronization
package import VCard

/// A folder of vCards, and the folders in it: what vdirsyncer, khard and others keep.
///
/// All work is done on a queue of its own, which blocks.
package final class VCardFolder: ContactSource {
    /// Policy: files behind these, larger ones, and deeper folders are left out.
    static let maximumFiles = 100_000
    static let maximumFileBytes = 256 << 20
    static let maximumDepth = 3
    /// Several changes at once are read once.
    private static let settling = DispatchTimeInterval.milliseconds(150)
    /// How often a folder that cannot be watched is looked into.
    private static let patience = DispatchTimeInterval.seconds(5)

    package let name = "folder"
    package let isWritable = true
    private let paths: @Sendable () -> AsyncStream<String>
    private let recorder: any EventRecorder
    private let queue = DispatchQueue(label: "development.baton.contacts.folder", qos: .utility)
    /// Changed on the queue only.
    private let state = Mutex(FolderState())

    /// - Parameter paths: the folder's, now and from then on.
    package init(paths: @escaping @Sendable () -> AsyncStream<String>, recorder: any EventRecorder) {
        self.paths = paths
        self.recorder = recorder
    }

    package var problem: String? {
        state.withLock { state in
            guard !state.path.isEmpty, !state.isThere else { return state.fileProblem }
            return
                "There is no folder “\(state.path)”. Put vCards there, or name another folder: “baton settings "
                + "set contacts.folder PATH”."
        }
    }

    package func run(_ deliver: @escaping @Sendable ([SourceCard]) -> Void) async {
        for await path in paths() {
            queue.async { [self] in
                state.withLock { state in
                    guard state.path != path else { return }
                    state.path = path
                    state.files = [:]
                    state.generation += 1
                }
                read(deliver)
            }
        }
        queue.async { [self] in state.withLock { $0.generation += 1 } }
    }

    /// On the queue.
    private func read(_ deliver: @escaping @Sendable ([SourceCard]) -> Void) {
        let (path, known, generation) = state.withLock { state in
            state.generation += 1
            state.deliver = deliver
            return (state.path, state.files, state.generation)
        }
        // The watch goes on until the next reading, which a change begins: nothing between the two is missed.
        let watch = FolderWatch(queue: queue) { [weak self] in self?.settle(generation, deliver) }
        var scan = FolderScan(root: path, known: known)
        scan.run { watch?.add($0) }
        state.withLock { state in
            state.files = scan.files
            state.isThere = scan.isThere
            state.fileProblem = scan.problem
        }
        for path in scan.refused {
            recorder.record(
                "contacts", "file_left_out", "A file of contacts could not be read, or is too large.", ["path": path])
        }
        // Now and then in any case: the file system of another machine may cause no events.
        queue.asyncAfter(deadline: .now() + .seconds(3600)) { [weak self] in self?.settle(generation, deliver) }
        if !path.isEmpty, mustLook(path, scan.isThere, watch) {
            queue.asyncAfter(deadline: .now() + Self.patience) { [weak self] in self?.settle(generation, deliver) }
        }
        heldWatch.replace(watch)
        deliver(scan.cards)
    }

    /// Whether nothing will tell of a change. A folder that is not there is told of when it is made.
    private func mustLook(_ path: String, _ isThere: Bool, _ watch: FolderWatch?) -> Bool {
        guard let watch else { return true }
        if isThere { return watch.isIncomplete }
        return !watch.addAncestor(of: path) || access(path, F_OK) == 0
    }

    /// Reads again once it is quiet, unless another reading has come before.
    private func settle(_ generation: UInt64, _ deliver: @escaping @Sendable ([SourceCard]) -> Void) {
        let isFirst = state.withLock { state in
            guard state.generation == generation, state.settling != generation else { return false }
            state.settling = generation
            return true
        }
        guard isFirst else { return }
        queue.asyncAfter(deadline: .now() + Self.settling) { [weak self] in
            guard let self, state.withLock({ $0.generation == generation }) else { return }
            read(deliver)
        }
    }

    /// The watch of the last reading, until the next one has its own.
    private let heldWatch = HeldWatch()

    // MARK: Cards

    package func card(key: String) async -> ContactCard? {
        await onQueue { [self] in
            let root = state.withLock { $0.path }
            guard !root.isEmpty, let place = Self.place(of: key),
                let bytes = try? AtomicFile.read("\(root)/\(place.relative)", limit: Self.maximumFileBytes)
            else { return nil }
            let documents = VCardFile(bytes).documents
            return documents.indices.contains(place.number) ? documents[place.number].card : nil
        }
    }

    package func write(_ changes: [SourceChange]) async throws {
        let result: Result<Void, any Error> = await onQueue { [self] in
            defer {
                // The next change is worked out from what is there now. The folder may be new, too, and not watched yet.
                if let deliver = state.withLock({ $0.deliver }) { read(deliver) }
            }
            return Result { try apply(changes) }
        }
        try result.get()
    }

    private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }

    /// A key is the file's path below the folder, and the card's number in it.
    private static func place(of key: String) -> (relative: String, number: Int)? {
        guard let sign = key.lastIndex(of: "#"), let number = Int(key[key.index(after: sign)...]) else { return nil }
        return (String(key[..<sign]), number)
    }

    private func apply(_ changes: [SourceChange]) throws {
        let root = state.withLock { $0.path }
        guard !root.isEmpty else {
            throw BatonError(.unavailable, reason: "no_folder", "The folder of contacts is not known yet. Try again.")
        }
        var added: [ContactCard] = []
        var files: [String: ContactFileEdit] = [:]
        func edit(_ key: String, _ old: ContactCard, _ change: (ContactCard, Set<CardKey>)?) throws {
            guard let (relative, number) = Self.place(of: key) else { throw ContactFileEdit.gone }
            files[relative, default: ContactFileEdit(root: root, relative: relative)].edits
                .append(.init(number: number, old: old, change: change))
        }
        for change in changes {
            switch change {
            case .add(let card): added.append(card)
            case .replace(let key, let old, let new, let keys): try edit(key, old, (new, keys))
            case .delete(let key, let old): try edit(key, old, nil)
            }
        }
        let edits = files.sorted { $0.key < $1.key }.map(\.value)
        // Nothing is written where a card of another file has gone.
        if edits.count + added.count > 1 { for edit in edits { _ = try edit.contents() } }
        for card in added {
            try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
            let bytes = VCardWriter(revision: ContactFileEdit.revision()).bytes(of: card)
            try AtomicFile.write(bytes, to: "\(root)/\(UUID().uuidString).vcf")
        }
        for edit in edits { try edit.apply() }
    }
}

/// The known state of the folder.
private struct FolderState {
    var path = ""
    var isThere = true
    /// Which files of the last reading have no card.
    var fileProblem: String?
    var files: [String: FolderScan.File] = [:]
    var deliver: (@Sendable ([SourceCard]) -> Void)?
    /// Counts readings.
    var generation: UInt64 = 0
    /// The reading after which another one is due.
    var settling: UInt64 = 0
}

/// The watch of the last reading. Used on the folder's queue only.
//
// @unchecked: its property is touched by the folder's queue, one piece of work after the other, and at the end of the last owner.
private final class HeldWatch: @unchecked Sendable {
    private var watch: FolderWatch?

    func replace(_ new: FolderWatch?) {
        watch?.stop()
        watch = new
    }

    deinit { watch?.stop() }
}
