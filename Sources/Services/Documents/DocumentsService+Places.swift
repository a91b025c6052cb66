import FileSync

/// Folders of the person, for a backup and a restore.
extension DocumentsService {
    /// One folder as it is kept on this device.
    package struct Place: Hashable, Sendable {
        package var name: String
        package var path: String
        /// It only receives on this device.
        package var isReadOnly = false
        /// The directories whose files come as placeholders, and what is kept, by the identifiers that they have on every device.
        /// None of a folder that is away.
        package var onDemand: [String] = []
        package var kept: [String] = []

        package init(name: String, path: String) { (self.name, self.path) = (name, path) }
    }

    /// By name.
    package func folderPlaces() async -> [Place] {
        var places: [Place] = []
        let engines = running
        let readOnly = readOnlyFolders
        for (container, path) in folders.sorted(by: { $0.key < $1.key }) {
            guard let name = container.folderName else { continue }
            var place = Place(name: name, path: path)
            place.isReadOnly = readOnly.contains(container)
            if let engine = engines.first(where: { $0.name == container }),
                let marks = try? await engine.perform({ $0.marks })
            {
                place.onDemand = marks.onDemand.sorted().map(EntryCodec.name(of:))
                place.kept = marks.kept.sorted().map(EntryCodec.name(of:))
            }
            places.append(place)
        }
        return places
    }

    /// Begins to keep a folder of the account equal here, as another device did. One that is here already stays as it is.
    package func joinAgain(_ place: Place) async throws {
        guard !folders.keys.contains(where: { $0.folderName == place.name }) else { return }
        let marks = FolderMarks(
            onDemand: Set(place.onDemand.compactMap(EntryCodec.id(ofName:))),
            kept: Set(place.kept.compactMap(EntryCodec.id(ofName:))))
        _ = try await addFolder(place.name, at: place.path, joins: true, isReadOnly: place.isReadOnly, marks)
    }
}

/// The person's wishes for the contents of a folder.
struct FolderMarks: Hashable, Sendable {
    /// Directories, or the root, whose files come as placeholders.
    var onDemand: Set<EntryID> = []
    /// Files and directories that are kept nevertheless.
    var kept: Set<EntryID> = []
}

extension ContainerEngine {
    /// On the queue.
    var marks: FolderMarks {
        let state = planner.state
        return FolderMarks(
            onDemand: state.evicted.filter { $0 == .root || state.entries.kind(of: $0) == .directory },
            kept: state.kept)
    }

    /// Before anything of the account has come, so that nothing comes first as what it is not to be. On the queue.
    func take(_ marks: FolderMarks) {
        guard marks != FolderMarks() else { return }
        for id in marks.onDemand.sorted() { inbox.append(.command(.mark(id, keeps: false))) }
        for id in marks.kept.sorted() { inbox.append(.command(.mark(id, keeps: true))) }
        round()
    }
}
