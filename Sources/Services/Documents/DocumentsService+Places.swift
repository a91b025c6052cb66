/// Folders of the person, for a backup and a restore.
extension DocumentsService {
    /// By name, where each is on this device.
    package var folderPlaces: [String: String] {
        folders.reduce(into: [:]) { places, folder in
            if let name = folder.key.folderName { places[name] = folder.value }
        }
    }

    /// Begins to keep a folder of the account equal here, too. One that is here already stays where it is.
    package func joinAgain(_ name: String, at path: String) async throws {
        guard folderPlaces[name] == nil else { return }
        _ = try await addFolder(name, at: path, joins: true)
    }
}
