import BatonConcurrency
import BatonCore
import FileSync

/// Contents of apps' documents that leave a disk with little room: of all containers those that were not used for longest.
extension DocumentsService {
    private struct Document: Hashable, Comparable {
        var container: ContainerName
        var id: EntryID

        static func < (left: Self, right: Self) -> Bool {
            (left.container, left.id) < (right.container, right.id)
        }
    }

    /// Containers that open together are looked at once.
    private static let gathering = Duration.seconds(1)
    /// Contents that leave at once.
    private static let leavingAtOnce = 1000
    /// How many are looked at together, whether programs have them open.
    private static let lookedAtOnce = 50

    /// Those of apps and the person's own; each folder looks at its own disk.
    private var ofApps: [ContainerEngine] { running.filter { $0.name.folderName == nil } }

    /// Looks at the disks, and for contents that are to come ahead, when a setting, the network, the power or what is here
    /// changes, and again before a disk can be full.
    func watchDisks() async {
        var timer: DeadlineTimer.Entry?
        diskLooks.send()
        for await _ in diskLooks.stream {
            if let timer { DeadlineTimer.shared.cancel(timer) }
            do { try await Task.sleep(for: Self.gathering) } catch { return }
            timer = await lookAtDisks().map { pause in
                DeadlineTimer.shared.schedule(after: pause) { [diskLooks] in diskLooks.send() }
            }
        }
        if let timer { DeadlineTimer.shared.cancel(timer) }
    }

    /// - Returns: how long nothing needs to be looked at; nil: until something changes.
    func lookAtDisks() async -> Duration? {
        var pauses: [Duration] = []
        let room = pacer.limits.room
        if room > 0, !ofApps.isEmpty, let disk = DiskRoom(at: directory) {
            await makeRoom(disk.missing(of: room))
            pauses.append(disk.pause(keeping: disk.wanted(of: room)))
        }
        for folder in running where folder.name.folderName != nil {
            let pause = try? await folder.perform { container in
                container.makeRoom()
                return container.roomPause
            }
            if let pause { pauses.append(pause) }
        }
        if let pause = prefetchSoon() { pauses.append(pause) }
        return pauses.min()
    }

    /// - Parameter wanted: bytes that are to become free.
    /// - Returns: how many contents leave.
    @discardableResult
    func makeRoom(_ wanted: UInt64) async -> Int {
        guard wanted > 0 else { return 0 }
        var candidates: [EvictionChoice.Candidate<Document>] = []
        let containers = ofApps
        for container in containers {
            let name = container.name
            let found = (try? await container.perform { $0.roomCandidates() }) ?? []
            candidates += found.map {
                .init(id: Document(container: name, id: $0.id), bytes: $0.bytes, lastUse: $0.lastUse)
            }
        }
        let sizes = Dictionary(candidates.map { ($0.id, $0.bytes) }) { first, _ in first }
        let order = EvictionChoice.choose(candidates, wanted: .max)
        let shown: Set<String> = order.isEmpty ? [] : arbiter.shown()
        var (freed, count): (UInt64, Int) = (0, 0)
        var rest = order[...]
        // One that cannot go makes way for the next.
        while freed < wanted, count < Self.leavingAtOnce, !rest.isEmpty, !Task.isCancelled {
            var next: [Document] = []
            var sum = freed
            for document in rest.prefix(Self.lookedAtOnce) where sum < wanted {
                next.append(document)
                sum += sizes[document] ?? 0
            }
            rest = rest.dropFirst(next.count)
            for container in containers {
                let ids = next.filter { $0.container == container.name }.map(\.id)
                guard !ids.isEmpty else { continue }
                let left = (try? await container.perform { $0.leaveForRoom(ids, shown: shown) }) ?? []
                for id in left { freed += sizes[Document(container: container.name, id: id)] ?? 0 }
                count += left.count
            }
        }
        return count
    }
}
