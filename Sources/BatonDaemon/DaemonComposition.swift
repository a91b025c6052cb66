import BatonCore
import BatonStore
import Logging

/// The ingredients of every part, and the parts that were made so far.
struct DaemonComposition: Sendable {
    let options: Daemon.Options
    let database: DaemonDatabase
    let log: EventLog
    let logger: Logger
    /// Greater at each start of the daemon on this device.
    let incarnation: UInt64

    /// In the order in which they were made.
    private(set) var parts: [any DaemonPart] = []

    init(options: Daemon.Options, database: DaemonDatabase, log: EventLog, logger: Logger, incarnation: UInt64) {
        self.options = options
        self.database = database
        self.log = log
        self.logger = logger
        self.incarnation = incarnation
    }

    /// Makes parts, each from those before it.
    mutating func make(_ types: [any DaemonPart.Type]) async throws {
        for type in types { parts.append(try await type.init(self)) }
    }

    /// A part that was made before.
    /// - Throws: `internal` when it comes later in the list, or not at all.
    func part<Part: DaemonPart>(_ type: Part.Type) throws(BatonError) -> Part {
        for case let part as Part in parts { return part }
        throw BatonError(
            .internal, reason: "part_missing", "The daemon's part \(type) must be made before those that use it.")
    }
}
