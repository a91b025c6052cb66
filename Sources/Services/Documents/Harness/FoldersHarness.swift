import BatonCore
package import BatonTransport
import BatonWire
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
            for folder in listed { folders.append(try await Self.message(folder)) }
            return .with { $0.folders = folders }
        }
        router.unary(FoldersMethods.addFolder) { [service] request, _ in
            let added = try await service.addFolder(request.name, at: request.path, joins: request.join)
            let folder = try await Self.message(added)
            return .with { $0.folder = folder }
        }
        router.unary(FoldersMethods.leaveFolder) { [service] request, _ in
            let path = try await service.leaveFolder(request.name)
            return .with { $0.path = path }
        }
    }

    private static func message(_ folder: DocumentsService.Folder) async throws -> Baton_Control_V1_Folder {
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
        }
    }
}
