import BatonWire
import CloudClient
import Foundation
import Testing

@testable import Sync

@Suite("Why something is not there")
struct SyncExplanationTests {
    private static let wall: UInt64 = 1_700_000_000_000

    private func explanation(
        _ machine: Machine, hasAccount: Bool = true, isMember: Bool = true, hasCloud: Bool = true, pending: Int = 0,
        parked: Int = 0, connectedSince: UInt64? = nil
    ) throws -> [Baton_Control_V1_Explanation] {
        let report = SyncReport(
            machine: machine.machine, now: machine.now, wall: Self.wall, connectedSince: connectedSince,
            lastConnected: nil, welcome: nil, parked: [ZoneName.data.description: parked])
        let address = hasCloud ? try CloudAddress(url: "https://cloud.example.com", fingerprint: Data()) : nil
        return SyncExplanation(
            hasAccount: hasAccount, isMember: isMember, address: address, report: report,
            counts: [.data: .init(pending: pending)], now: Self.wall
        ).explanations
    }

    @Test("without an account, a membership or a cloud it says what would help, and no more")
    func missing() throws {
        let machine = Machine()
        let cases = [
            (try explanation(machine, hasAccount: false), "baton account create", false),
            (try explanation(machine, isMember: false), "baton pair", false),
            (try explanation(machine, hasCloud: false), "baton cloud login", false),
        ]
        for (explanations, advice, isHealthy) in cases {
            let cloud = try #require(explanations.first)
            #expect(cloud.subject == "Cloud")
            #expect(cloud.healthy == isHealthy)
            #expect(cloud.stages.last?.advice.contains(advice) == true)
        }
    }

    @Test("a zone that is current is healthy")
    func current() throws {
        var machine = Machine.up([.data])
        machine.finish(.data)
        _ = machine.handle(.woke, after: 5 * 60_000)
        let explanations = try explanation(machine, connectedSince: Self.wall - 5 * 60_000)
        #expect(explanations.map(\.healthy) == [true, true])
        #expect(explanations.first?.stages.last?.finding == "for 5 min")
        #expect(explanations.last?.stages.map(\.finding) == ["5 min ago", "everything"])
    }

    @Test("a zone that fails says what waits, for how long, why, and when it is tried again")
    func failing() throws {
        var machine = Machine.up([.data])
        machine.finish(.data)
        _ = machine.handle(.changed(.data))
        _ = machine.handle(.failed(.data, .zone), after: 2 * 60_000, fraction: 1)
        let zone = try #require(explanation(machine, pending: 3, parked: 2).last)
        #expect(!zone.healthy)
        let findings = Dictionary(zone.stages.map { ($0.name, $0) }) { first, _ in first }
        #expect(findings["sent"]?.finding == "3 waiting for 2 min")
        #expect(findings["opened"]?.finding.hasPrefix("2 items") == true)
        #expect(findings["last attempt"]?.finding == SyncFailure.zone.message)
        #expect(findings["last attempt"]?.advice == "It is tried again in 1 s.")
    }

    @Test("without a connection it says why, and when it is tried again")
    func disconnected() throws {
        var machine = Machine()
        _ = machine.handle(.added(.data))
        _ = machine.handle(.configured(true))
        _ = machine.handle(.disconnected(.refused), fraction: 1)
        let stage = try #require(explanation(machine).first?.stages.last)
        #expect(stage.finding == SyncFailure.refused.message)
        #expect(stage.advice.hasPrefix("It is tried again in 15 min."))
    }
}
