import BatonCore
import BatonWire
import CloudClient
import Devices
import SwiftProtobuf
import Synchronization

/// The state of synchronisation, for explanations.
extension SyncService {
    package func report() async -> SyncReport {
        let parked = await parkedCounts()
        let now = now
        return state.withLock { state in
            SyncReport(
                machine: state.machine, now: now, wall: clock.milliseconds, connectedSince: state.connectedSince,
                lastConnected: state.lastConnected, welcome: state.welcome, clockLead: state.clockLead, parked: parked)
        }
    }

    /// In seconds: a person waits for it.
    private static let patience = Duration.seconds(5)

    /// By how many milliseconds this device's clock is ahead of the cloud's; nil where that cannot be asked.
    private func measureClock() async -> Int64? {
        guard let session = state.withLock({ $0.session }) else { return nil }
        let before = clock.milliseconds
        guard let server = try? await session.call(AccountMethods.getServer, .init(), timeout: Self.patience) else {
            return nil
        }
        let lead = Int64(clamping: before / 2 + clock.milliseconds / 2) - Int64(clamping: server.time)
        state.withLock { $0.clockLead = lead }
        return lead
    }

    func explanation() async -> SyncExplanation {
        let lead = await measureClock()
        var report = await report()
        report.isClockMeasured = lead != nil
        var counts: [ZoneName: SyncExplanation.ZoneCount] = [:]
        for zone in report.zones.map(\.name) {
            do {
                let source = source(of: zone)
                guard try await source?.keeps(zone) != false else {
                    report.zones.removeAll { $0.name == zone }
                    continue
                }
                let pending = try await source?.pending(in: zone, limit: SyncExplanation.countLimit)
                let early = try await source?.early(in: zone)
                counts[zone] = .init(
                    title: source?.title(of: zone), pending: pending?.count ?? 0, early: early,
                    findings: try await source?.findings(in: zone) ?? [],
                    isExchanged: try await source?.digest(of: zone) != nil)
            } catch {
                counts[zone] = .init(pending: 0, problem: "it cannot be asked: \(error)")
            }
        }
        return SyncExplanation(
            hasAccount: account.standing != .none, isMember: account.standing == .member,
            hasOthers: account.snapshot().map { !$0.otherDevices.isEmpty } ?? false, address: access.address(),
            report: report, counts: counts, now: clock.milliseconds)
    }

    private func parkedCounts() async -> [String: Int] {
        guard let owner else { return [:] }
        return (try? await store.parkedCounts(of: owner)) ?? [:]
    }

    /// A cloud that answers nothing for so long counts as unreachable. Nothing is ended for that: it may only be slow.
    private static let silence = Duration.seconds(3)

    package func isUnreachable(for zone: ZoneName) -> Bool {
        state.withLock { $0.machine.isUnreachable(for: zone) || $0.session?.isSilent(for: Self.silence) ?? false }
    }
}
