import BatonConcurrency
import BatonCore
import FileSync
import Sync

/// Containers and folders that the account does not have yet: all that it has of them is known. Near
/// devices need not wait for a cloud that is away.
extension DocumentsService {
    /// After the first look each pause is twice as long as the one before.
    private static let firstPause = Duration.seconds(2)
    private static let longestPause = Duration.seconds(16)

    /// A folder that the account did not have when it was added.
    func beginNew(_ folder: ContainerEngine) async throws {
        guard let drive = running.first(where: { $0.name == .drive }),
            try await drive.perform({ $0.planner.state.entries.isComplete })
        else { return }
        try await folder.perform { try $0.didFinishInitialFetch(by: .device) }
        compareNearby(folder.name)
    }

    /// It is known from now on what the account has of a container.
    func wasRead(_ name: ContainerName) async {
        await noteContainers(adding: name)
        guard name == .drive else { return }
        // Now it is known which others the account has.
        for container in running where container.name != .drive && container.name.folderName == nil {
            let name = container.name
            start { [weak self] in _ = await self?.beginIfNew(name) }
        }
    }

    /// Begins a container of an app once it is known that the account has none of its name, and while no cloud can be asked. It is looked
    /// at until that is known, or the cloud or a near device has given what the account has.
    func beginSoon(_ name: ContainerName, after pause: Duration = firstPause) {
        // The person's own is how the others are known.
        guard name != .drive else { return }
        _ = DeadlineTimer.shared.schedule(after: pause) { [weak self] in
            self?.start { [weak self] in
                guard await self?.beginIfNew(name) == false else { return }
                self?.beginSoon(name, after: min(pause * 2, Self.longestPause))
            }
        }
    }

    /// - Returns: whether there is nothing left to look for.
    private func beginIfNew(_ name: ContainerName) async -> Bool {
        guard let container = running.first(where: { $0.name == name }),
            (try? await container.perform { $0.planner.state.entries.isComplete }) == false
        else { return true }
        // A cloud that is there answers soon.
        guard !isCloudConnected, let drive = running.first(where: { $0.name == .drive }),
            let isKnown = try? await drive.perform({ try $0.lists(name) })
        else { return false }
        if isKnown { return true }
        guard (try? await container.perform({ try $0.didFinishInitialFetch(by: .device) })) != nil else { return false }
        // Changes until now could not be compared.
        compareNearby(name)
        recorder.record(
            "documents", "container_begun",
            "The account has no container “\(name)” yet: it begins on this device, before the cloud is there.",
            ["container": name.identifier])
        await noteContainers(adding: name)
        return true
    }
}

extension ContainerEngine {
    private struct NotRead: Error {}

    /// Whether the account has a container, by what this one, the person's own, holds. On the queue.
    /// - Throws: where it is not known what the account has.
    fileprivate func lists(_ name: ContainerName) throws -> Bool {
        guard planner.state.entries.isComplete else { throw NotRead() }
        return (try? reader.find(ContainerDirectory.path(of: name))) != nil
    }
}
