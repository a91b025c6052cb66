import AppSessions
import BatonConcurrency
import BatonCore
package import BatonTransport
import BatonWire
import FileSync
import Foundation
import SwiftProtobuf

/// Answers apps about their containers. ``DocumentsControlHarness`` answers the command line.
package struct DocumentsHarness: Sendable {
    private let service: DocumentsService
    private let apps: any DocumentsApps

    package init(_ service: DocumentsService, apps: any DocumentsApps) {
        self.service = service
        self.apps = apps
    }

    package func register(on router: inout ConnectRouter) {
        router.app(ContainerMethods.openContainer) { request, caller in try await open(request, app: caller.app) }
        router.appStream(ContainerMethods.watchContainer) { request, caller, writer in
            try await watch(request, app: caller.app) { try await writer.write($0) }
        }
        router.app(ContainerMethods.changeDocument) { request, caller in
            let (container, path) = try await container(of: request.path, caller.app)
            return try await DocumentsAnswers.change(request.change, path, of: container)
        }
        router.app(ContainerMethods.listFileVersions) { request, caller in
            let (container, path) = try await container(of: request.path, caller.app)
            return try await DocumentsAnswers.versions(path, of: container)
        }
        router.appStream(ContainerMethods.readFileVersion) { request, caller, writer in
            let (container, path) = try await container(of: request.path, caller.app)
            try await DocumentsAnswers.read(request.versionID, path, of: container) { part in
                try await writer.write(.with { $0.data = part })
            }
        }
        router.app(ContainerMethods.changeFileVersions) { request, caller in
            let (container, path) = try await container(of: request.path, caller.app)
            return try await DocumentsAnswers.changeVersions(request, path, of: container)
        }
    }

    /// No error where iCloud is not there: the answer says why (D-9).
    private func open(
        _ request: Baton_App_V1_OpenContainerRequest, app: AppCaller
    ) async throws -> Baton_App_V1_OpenContainerResponse {
        var answer = Baton_App_V1_OpenContainerResponse()
        answer.identityToken = service.identityToken(for: app.identity)
        do {
            let name = try apps.container(request.identifier, of: app)
            guard !service.isOff(app.identity) else { throw DocumentsService.switchedOff }
            answer.identifier = name.identifier
            answer.path = try await service.open(name).path
            answer.displayName = displayName(of: name)
        } catch let error as BatonError
            where ["no_account", "no_entitlement", "unknown_container", "switched_off"].contains(error.reason)
        {
            (answer.reason, answer.message) = (error.reason, error.message)
        }
        return answer
    }

    /// As its folder is called, else as its app is.
    private func displayName(of name: ContainerName) -> String {
        let folder = apps.scope(of: name).folder
        if !folder.isEmpty { return (folder as NSString).lastPathComponent }
        return apps.apps(using: name).first?.name ?? ""
    }

    private func watch(
        _ request: Baton_App_V1_WatchContainerRequest, app: AppCaller,
        write: (Baton_App_V1_ContainerNews) async throws -> Void
    ) async throws {
        let name = request.identityOnly ? nil : try apps.container(request.identifier, of: app)
        while !Task.isCancelled {
            let accounts = service.accountChanges.subscribe()
            if let name, service.account != nil, !service.isOff(app.identity) {
                let container = try await service.open(name)
                var diff = ContainerDiff(container: container.path)
                let (watch, items) = try await container.perform { $0.watchItems() }
                defer { container.later { $0.endWatching(watch) } }
                if !service.isOff(app.identity) {
                    for news in diff.begin(items, token: service.identityToken) { try await write(news) }
                    for await _ in watch.wakeups {
                        if service.isOff(app.identity) { break }
                        for news in diff.news(watch.take(), token: service.identityToken) { try await write(news) }
                    }
                }
                // The account has gone, the app was switched off, or the daemon ends.
                if service.isOff(app.identity) { continue }
                if service.account != nil, service.running.contains(where: { $0 === container }) { return }
                continue
            }
            try await write(
                .with {
                    $0.identityToken = service.identityToken(for: app.identity)
                    $0.reset = true
                    $0.gathered = true
                })
            var changes = accounts.makeAsyncIterator()
            guard await changes.next() != nil else { return }
        }
    }

    /// The container of an absolute path, below a container that the app may open.
    private func container(
        of path: String, _ app: AppCaller
    ) async throws -> (ContainerEngine, DocumentPath) {
        let (container, rest) = try DocumentsAnswers.container(of: DocumentPath(path), service)
        let isOwn = (try? apps.container(container.name.identifier, of: app)) == container.name
        guard isOwn else {
            throw BatonError(
                .permissionDenied, reason: "other_container",
                "The file is in an iCloud container that is not this app's.")
        }
        guard !service.isOff(app.identity) else { throw DocumentsService.switchedOff }
        return (container, rest)
    }
}
