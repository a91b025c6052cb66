package import Foundation

/// The daemon, as the mirror sees it.
package protocol MirrorService: Sendable {
    /// - Parameter retry: the tables may take what they have refused.
    /// - Returns: the last line of the actor's journal that was taken, whether `fetch` goes on from the cursor, and rows of which changes
    ///   were refused.
    func setSchema(
        _ shapes: [TableShape], actor: Data, cursor: Data, retry: Bool
    ) async throws -> (taken: Int64, isCursorKnown: Bool, refused: [RefusedRow])
    /// Takes groups durably, in their order. Rows with a problem are refused with that.
    /// - Parameter known: refusals of lines up to this number have been kept. Rows that were refused since are refused on.
    /// - Returns: rows of which it takes no change. All else of the groups was taken.
    func send(_ groups: [ChangeGroup], actor: Data, cursor: Data, known: Int64) async throws -> [RefusedRow]
    /// - Parameter cursor: empty for everything that is shown.
    func fetch(actor: Data, cursor: Data) async throws -> ShownPage
    /// The tables do not show these.
    /// - Parameter cursor: up to which they were fetched; a row that is shown anew since is not meant. Empty: as they are shown now.
    func report(_ rows: [RefusedRow], cursor: Data) async throws
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
