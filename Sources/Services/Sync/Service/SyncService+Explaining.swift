import BatonCore
import Devices
import Synchronization

/// How synchronisation stands, for whoever asks.
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

    func explanation() async -> SyncExplanation {
        let report = await report()
        var counts: [ZoneName: SyncExplanation.ZoneCount] = [:]
        for zone in report.zones.map(\.name) {
            do {
                let source = sources[zone.kind]
                let pending = try await source?.pending(in: zone, limit: SyncExplanation.countLimit)
                let early = try await source?.early(in: zone)
                counts[zone] = .init(pending: pending?.count ?? 0, early: early)
            } catch {
                counts[zone] = .init(pending: 0, problem: "it cannot be asked: \(error)")
            }
        }
        return SyncExplanation(
            hasAccount: account.standing != .none, isMember: account.standing == .member, address: access.address(),
            report: report, counts: counts, now: clock.milliseconds)
    }

    private func parkedCounts() async -> [String: Int] {
        guard let owner else { return [:] }
        return (try? await store.parkedCounts(of: owner)) ?? [:]
    }
}
