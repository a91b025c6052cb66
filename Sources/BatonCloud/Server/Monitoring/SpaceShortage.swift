import BatonCore
import Synchronization

/// Remembers that writes failed for lack of space until there is some: a server is not ready meanwhile.
final class SpaceShortage: Sendable {
    private let failures = Atomic(0)
    /// How many of them are over.
    private let settled = Atomic(0)

    func hear(_ error: BatonError) {
        if error.reason == "disk_full" { failures.add(1, ordering: .relaxed) }
    }

    /// - Parameter findRoom: throws while there is none. It is asked only after a write has failed.
    func check(_ findRoom: () async throws -> Void) async throws {
        let seen = failures.load(ordering: .relaxed)
        guard seen != settled.load(ordering: .relaxed) else { return }
        try await findRoom()
        settled.store(seen, ordering: .relaxed)
    }
}
