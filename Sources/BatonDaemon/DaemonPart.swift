import BatonStore
import BatonTransport
import BatonWire
import ServiceLifecycle
import Sync

/// One capability, as the daemon composes it: a file with its tables, its methods on both planes, its long-running
/// services, and small adapters to the parts before it.
///
/// A part is made after those that it uses and asks the composition for them. If an earlier part must call this one, it
/// does so through ``Hooks`` of the earlier part, so that every arrow points back. docs/adding-a-service.md has the
/// steps.
protocol DaemonPart: Sendable {
    /// The steps of its tables' schema.
    static var migrations: [DaemonDatabase.Migration] { get }

    /// - Parameter daemon: with the parts that stand before this one in ``Daemon/parts``.
    init(_ daemon: DaemonComposition) async throws

    /// Its data that syncs.
    var zones: [SyncedZones] { get }

    /// Registers the methods that apps and the command line call.
    func registerLocal(on router: inout ConnectRouter)

    /// Registers the methods that the account's other devices call.
    /// - Parameter router: one that serves members of the account only.
    func registerLink(on router: inout ConnectRouter)

    /// They end in the reverse order, after those of later parts.
    var services: [any Service] { get }

    /// Its findings in `baton status` and `baton doctor`, each under a name of its own.
    var stages: [Baton_Link_V1_Stage] { get }

    /// Adds its numbers and names to `baton status`.
    func fill(_ status: inout Baton_Control_V1_GetStatusResponse)

    /// - Returns: nil for a subject of another part.
    func explain(
        _ subject: Baton_Control_V1_ExplainRequest.OneOf_Subject
    ) async throws -> [Baton_Control_V1_Explanation]?

    /// Called once, after every service has ended.
    func shutdown() async
}

extension DaemonPart {
    static var migrations: [DaemonDatabase.Migration] { [] }
    var zones: [SyncedZones] { [] }
    func registerLocal(on router: inout ConnectRouter) {}
    func registerLink(on router: inout ConnectRouter) {}
    var services: [any Service] { [] }
    var stages: [Baton_Link_V1_Stage] { [] }
    func fill(_ status: inout Baton_Control_V1_GetStatusResponse) {}
    func explain(
        _ subject: Baton_Control_V1_ExplainRequest.OneOf_Subject
    ) async throws -> [Baton_Control_V1_Explanation]? { nil }
    func shutdown() async {}
}

/// Zones of one kind that a part has synced.
struct SyncedZones: Sendable {
    var source: any ZoneSource
    /// Brings the source to the account that is there now; awaited before it is asked for its zones, and after the device
    /// has left its account.
    var prepare: @Sendable () async -> Void
    /// Sets the receiver of the source's changes.
    var connect: @Sendable (any SyncTrigger) -> Void

    init(
        source: any ZoneSource, prepare: @escaping @Sendable () async -> Void = {},
        connect: @escaping @Sendable (any SyncTrigger) -> Void = { _ in }
    ) {
        self.source = source
        self.prepare = prepare
        self.connect = connect
    }
}
