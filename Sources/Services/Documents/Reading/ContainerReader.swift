import BatonCore
import FileSync

/// A container between two rounds, for apps, people and other devices. Nothing can be changed by it.
///
/// It shares the memory of what it was made from until that changes. So it is made for one question, on the container's queue, and is
/// not kept.
struct ContainerReader {
    let name: ContainerName
    let path: String
    /// The container in the store.
    let row: Int64
    let ports: ContainerDependencies
    let planner: FileSyncPlanner
    let disk: ContainerDisk
    let claims: ContainerClaims
    let shelf: ContentShelf
    let direct: DirectState
    let notes: ContainerNotes
    let reads: FileReads
    let ledger: ContentLedger
    let meters: TransferMeters

    var isReadOnly: Bool { planner.state.isReadOnly }

    /// Only devices that are near can keep a content now.
    var isCloudAway: Bool { !direct.hasCloud || !ports.isCloudConnected() }
}

extension ContainerEngine {
    var reader: ContainerReader {
        ContainerReader(
            name: name, path: path, row: row.id, ports: ports, planner: planner, disk: disk, claims: claims,
            shelf: shelf,
            direct: direct, notes: notes, reads: reads, ledger: ledger, meters: meters)
    }
}
