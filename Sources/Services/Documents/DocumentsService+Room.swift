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

    private static let roomInterval = Duration.seconds(30)
    /// Contents that leave at once.
    private static let leavingAtOnce = 1000
    /// How many are looked at together, whether programs have them open.
    private static let lookedAtOnce = 50

    /// Those of apps and the person's own; each folder looks at its own disk.
    private var ofApps: [ContainerEngine] { running.filter { $0.name.folderName == nil } }

    func watchRoom() async {
        while !Task.isCancelled {
            do { try await Task.sleep(for: Self.roomInterval) } catch { return }
            guard let disk = DiskRoom(at: directory) else { continue }
            await makeRoom(disk.missing(of: pacer.limits.room))
        }
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
