import BatonCore
import CLinux
import FileSync
import Glibc

/// Contents that are here only while they are needed, and how fast they come. On the queue.
extension ContainerEngine {
    /// Contents that leave at once.
    private static let evictedAtOnce = 1000

    /// - Parameter path: below the folder; empty for all of it.
    /// - Returns: how many contents come or go.
    func keepContents(_ path: String, keeps: Bool) throws -> Int {
        try keepContents(DocumentPath(path), keeps: keeps)
    }

    func keepContents(_ path: DocumentPath, keeps: Bool) throws -> Int {
        let id = path.isEmpty ? EntryID.root : try reader.find(path)
        let kind = planner.state.entries[id]?.kind ?? .directory
        guard kind != .symbolicLink else { return 0 }
        inbox.append(.command(.mark(id, keeps: keeps)))
        if kind != .directory, !keeps { inbox.append(.command(.download(id))) }
        round()
        ports.lookAtDisks()
        let base = planner.state.base
        let files = reader.files(in: id).filter { file in
            let kind = planner.state.entries[file]?.kind
            guard kind == .file || kind == .package else { return false }
            let isHere = base[file].map { !$0.isPlaceholder } ?? false
            return isHere != keeps
        }
        if keeps { download(id) } else { evict(id) }
        return files.count
    }

    /// How long the disk of a folder needs no look; nil where nothing leaves it by itself. Containers of apps are looked at
    /// together.
    var roomPause: Duration? {
        guard !isStopped, let room = ports.pacer?.limits.room, room > 0, !marks.onDemand.isEmpty else { return nil }
        return DiskRoom(at: path)?.pause(keeping: room)
    }

    func makeRoom() {
        guard !isStopped, hasScanned, let room = ports.pacer?.limits.room, room > 0,
            let free = DiskRoom(at: path)?.free, free < room
        else { return }
        let reader = reader
        var candidates: [EvictionChoice.Candidate<EntryID>] = []
        for (id, record) in planner.state.base.all
        where !record.isPlaceholder && planner.mayLeave(id) && reader.mayLeave(id) {
            candidates.append(
                .init(id: id, bytes: record.fingerprint.size, lastUse: lastUse(record) ?? record.fingerprint.modified))
        }
        let chosen = EvictionChoice.choose(candidates, wanted: room - free).prefix(Self.evictedAtOnce)
        guard !chosen.isEmpty else { return }
        record(
            "contents_left",
            "The disk of “\(name)” has little room: the contents of \(chosen.count) files that were not used for longest leave it.",
            ["files": String(chosen.count)])
        for id in chosen { evict(id) }
    }

    /// When it was read or written last, in nanoseconds since 1970.
    func lastUse(_ record: BaseRecord) -> Int64? {
        guard let (directory, name, _) = disk.find(record.handle) else { return nil }
        let use = baton_last_use(directory.number, name.map { CChar(bitPattern: $0) } + [0])
        return use < 0 ? nil : use
    }
}
