import BatonConcurrency
import BatonCore

/// Looking for devices once.
extension AirDropSenderService {
    /// Receivers say their names within this time, so that the list is whole when a person sees it.
    private static let settling = Duration.seconds(2)
    private static let patience = Duration.seconds(10)

    static let nobodyNear = BatonError(
        .notFound, reason: "peer_not_found",
        "No devices to send to nearby. The other device must be on this network and allow it: “baton airdrop everyone” "
            + "there.")

    /// The devices that can be sent to now: those that are known after a moment, else the first ones that come. Empty when
    /// none comes.
    package func look() async throws -> [NearbyPeer] {
        let found = Broadcaster<[NearbyPeer]>(.newest)
        let lists = found.subscribe()
        return try await withThrowingTaskGroup(of: [NearbyPeer]?.self) { group in
            group.addTask { [self] in
                try await watchNearby { found.send($0) }
                return nil
            }
            group.addTask {
                // sleeps: nobody says that all who are near have said their names.
                try await Task.sleep(for: Self.settling)
                for await list in lists where !list.isEmpty { return list }
                return nil
            }
            group.addTask {
                // sleeps: nobody says that a device is not there.
                try await Task.sleep(for: Self.patience)
                return []
            }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let result { return result }
            }
            return []
        }
    }
}
