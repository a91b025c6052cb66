import BatonConcurrency
import BatonCore
import Foundation
package import Transfers

/// Sends what a person shares in an app: has the person choose a device first. Safe to use from any task.
package struct AirDropSharing: Sendable {
    package enum Event: Hashable, Sendable {
        /// The person is asked for a device.
        case choosing
        case asking(name: String)
        case progress(TransferProgress)
        case ended(AirDropOutcome)
    }

    package enum Choice: Hashable, Sendable {
        case peer(NearbyPeer)
        /// Looks again: the device that is wanted was not there.
        case lookAgain
        case nobody
    }

    private let sender: AirDropSenderService
    private let folder: String

    /// - Parameter folder: where the daemon keeps what it has for AirDrop.
    package init(sender: AirDropSenderService, folder: String) {
        self.sender = sender
        self.folder = Self.folder(in: folder)
    }

    static func folder(in folder: String) -> String { folder + "/shared" }

    /// Sends items to the device that the person chooses. The last event is `ended`. Cancelling cancels the transfer.
    /// - Parameters:
    ///   - paths: absolute ones.
    ///   - container: that the files must be in; nil for a program that may read what this process may.
    ///   - choose: asks the person for one of the devices.
    /// - Throws: the fault of the items; `not_found` with reason `peer_not_found` when no device is near.
    package func share(
        paths: [String], urls: [String], container: String?, choose: ([NearbyPeer]) async throws -> Choice,
        tell: @escaping @Sendable (Event) async throws -> Void
    ) async throws {
        guard let container else { return try await share(paths, urls, choose, tell) }
        let handed = "\(folder)/\(UUID().uuidString)"
        let disk = AirDropSenderService.disk
        let result: Result<Void, any Error>
        do {
            let taken = try await disk.run { try SharedItems.take(paths, of: container, into: handed) }
            try await share(taken, urls, choose, tell)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await disk.run { _ = try? FileManager.default.removeItem(atPath: handed) }
        try result.get()
    }

    private func share(
        _ paths: [String], _ urls: [String], _ choose: ([NearbyPeer]) async throws -> Choice,
        _ tell: @escaping @Sendable (Event) async throws -> Void
    ) async throws {
        try await tell(.choosing)
        guard let peer = try await chosen(choose) else { return try await tell(.ended(AirDropOutcome(.cancelled))) }
        try await sender.send(paths: paths, urls: urls, to: peer.id) { event in
            switch event {
            case .asking(let name, _, _, _, _): try await tell(.asking(name: name))
            case .progress(let progress): try await tell(.progress(progress))
            case .ended(let outcome): try await tell(.ended(outcome))
            }
        }
    }

    private func chosen(_ choose: ([NearbyPeer]) async throws -> Choice) async throws -> NearbyPeer? {
        while true {
            let peers = try await sender.look()
            guard !peers.isEmpty else { throw AirDropSenderService.nobodyNear }
            switch try await choose(peers) {
            case .peer(let peer): return peer
            case .lookAgain: continue
            case .nobody: return nil
            }
        }
    }
}
