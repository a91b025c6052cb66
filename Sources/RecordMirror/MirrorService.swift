package import Foundation

/// The daemon, as the mirror sees it.
package protocol MirrorService: Sendable {
    /// - Returns: the last line of the actor's journal that was taken, and whether `fetch` goes on from the cursor.
    func setSchema(
        _ shapes: [TableShape], actor: Data, cursor: Data
    ) async throws -> (taken: Int64, isCursorKnown: Bool)
    /// Takes groups durably, in their order.
    /// - Returns: rows of which it takes no change. All else of the groups was taken.
    func send(_ groups: [ChangeGroup], actor: Data, cursor: Data) async throws -> [RefusedRow]
    /// - Parameter cursor: empty for everything that is shown.
    func fetch(actor: Data, cursor: Data) async throws -> ShownPage
    func report(_ rows: [RefusedRow]) async throws
    /// Whether an error says that a call took longer than it may.
    func isDeadline(_ error: any Error) -> Bool
}

extension MirrorService {
    package func isDeadline(_ error: any Error) -> Bool { false }
}

/// The service cannot go on from the cursor.
package struct CursorExpired: Error {
    package init() {}
}
