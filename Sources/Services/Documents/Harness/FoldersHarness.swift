import BatonCore
package import BatonTransport
import BatonWire
import FileSync
import SwiftProtobuf

/// Answers the command line about folders of the person.
package struct FoldersHarness: Sendable {
    private let service: DocumentsService

    package init(_ service: DocumentsService) { self.service = service }

    package func register(on router: inout ConnectRouter) {
        router.unary(FoldersMethods.listFolders) { [service] request, _ in
            let listed =
                request.name.isEmpty ? await service.listFolders() : [try await service.folder(request.name)]
            var folders: [Baton_Control_V1_Folder] = []
            let isOne = !request.name.isEmpty
            for folder in listed { folders.append(try await Self.message(folder, withChanges: isOne)) }
            return .with { $0.folders = folders }
        }
        router.unary(FoldersMethods.addFolder) { [service] request, _ in
            let added = try await service.addFolder(
                request.name, at: request.path, joins: request.join, isReadOnly: request.readOnly)
            let folder = try await Self.message(added)
            return .with { $0.folder = folder }
        }
        router.unary(FoldersMethods.revertFolder) { [service] request, _ in
            let folder = try await service.folder(request.name)
            guard let container = folder.container else { throw DocumentsService.notHere(folder) }
            let reverted = try await container.perform { try $0.revert() }
            return .with {
                $0.changes = UInt64(reverted.changes)
                $0.left = UInt64(reverted.left)
                $0.path = reverted.kept
            }
        }
        router.unary(FoldersMethods.keepContents) { [service] request, _ in
            let given = DocumentPath(request.path, request.pathBytes)
            let (container, path) = try DocumentsAnswers.container(of: given, service)
            guard container.name.folderName != nil else {
                throw BatonError(
                    .invalidArgument, reason: "no_folder_of_yours",
                    "“\(given.description.shortened(toBytes: 200))” is in no folder of yours. “baton folder list” shows them; for an app's "
                        + "documents there are “baton download” and “baton evict”.")
            }
            let keeps = request.keep
            let files = try await container.perform { try $0.keepContents(path, keeps: keeps) }
            return .with { $0.files = UInt64(files) }
        }
        router.unary(FoldersMethods.leaveFolder) { [service] request, _ in
            let path = try await service.leaveFolder(request.name)
            return .with { $0.path = path }
        }
        router.unary(FoldersMethods.forgetFolder) { [service] request, _ in
            try await service.forgetFolder(request.name)
            return .init()
        }
    }

    /// Changes of a folder that only receives, whose names a person is shown.
    private static let shownChanges = 200

    private static func message(
        _ folder: DocumentsService.Folder, withChanges: Bool = false
    ) async throws -> Baton_Control_V1_Folder {
        let changes: [ContainerEngine.LocalChange] =
            if withChanges, folder.isReadOnly, let container = folder.container {
                try await container.perform { try $0.localChanges() }
            } else { [] }
        let estimate = try await folder.container?.perform { $0.reader.estimate }
        let summary = try await folder.container?.perform { container in
            var summary = Baton_Control_V1_DocumentContainer()
            summary.identifier = container.name.identifier
            summary.path = container.path
            summary.fill(container)
            return summary
        }
        return .with {
            $0.name = folder.name
            $0.path = folder.path
            $0.state =
                switch folder.state {
                case .here: .here
                case .away: .away
                case .elsewhere: .elsewhere
                }
            if let summary { $0.container = summary }
            if let estimate {
                $0.transfer.down = estimate.down
                $0.transfer.up = estimate.up
                $0.transfer.downLeft = estimate.downLeft
                $0.transfer.upLeft = estimate.upLeft
                $0.transfer.secondsLeft = estimate.seconds ?? 0
            }
            $0.readOnly = folder.isReadOnly
            $0.changed = UInt64(changes.count)
            $0.changes = changes.prefix(shownChanges).map(message)
        }
    }

    private static func message(_ change: ContainerEngine.LocalChange) -> Baton_Control_V1_FolderChange {
        .with {
            $0.path = change.path
            $0.kind =
                switch change.change {
                case .created: .created
                case .edited: .edited
                case .described: .attributes
                case .moved: .moved
                case .deleted: .deleted
                }
        }
    }
}
