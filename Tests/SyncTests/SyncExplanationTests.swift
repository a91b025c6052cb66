import BatonWire
import CloudClient
import Foundation
import Testing

@testable import Sync

@Suite("Why something is not there")
struct SyncExplanationTests {
    private static let wall: UInt64 = 1_700_000_000_000

    private func explanation(
        _ machine: Machine, hasAccount: Bool = true, isMember: Bool = true, hasCloud: Bool = true,
        hasOthers: Bool = false,
        pending: Int = 0,
        early: EarlyItems? = nil, parked: Int = 0, connectedSince: UInt64? = nil, lastConnected: UInt64? = nil,
        clockLead: Int64 = 0, isClockMeasured: Bool = false, isExchanged: Bool = true
    ) throws -> [Baton_Control_V1_Explanation] {
        var report = SyncReport(
            machine: machine.machine, now: machine.now, wall: Self.wall, connectedSince: connectedSince,
            lastConnected: lastConnected, welcome: nil, clockLead: clockLead,
            parked: [ZoneName.data.description: parked])
        report.isClockMeasured = isClockMeasured
        let address = hasCloud ? try CloudAddress(url: "https://cloud.example.com", fingerprint: Data()) : nil
        return SyncExplanation(
            hasAccount: hasAccount, isMember: isMember, hasOthers: hasOthers, address: address, report: report,
            counts: [.data: .init(pending: pending, early: early, isExchanged: isExchanged)], now: Self.wall
        ).explanations
    }

    @Test("without an account, a membership or a cloud it says what would help, and no more")
    func missing() throws {
        let machine = Machine()
        let cases = [
            (try explanation(machine, hasAccount: false), "baton account create", false),
            (try explanation(machine, isMember: false), "baton pair", false),
            (try explanation(machine, hasCloud: false), "baton cloud login", true),
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

    @Test("what waits for a device that is not near is not called well, but where there is none to wait for")
    func waitsForDevices() throws {
        for hasOthers in [false, true] {
            let explanations = try explanation(Machine.up([.data]), hasCloud: false, hasOthers: hasOthers, pending: 1)
            let sent = try #require(explanations.last?.stages.first { $0.name == "sent" })
            #expect(sent.verdict == (hasOthers ? .unknown : .ok) && sent.finding.hasPrefix("1 waiting"))
            #expect(sent.advice.contains("No device of the account that lacks it is near.") == hasOthers)
        }
        // Nothing is wrong where only a cloud lacks it.
        let explanations = try explanation(
            Machine.up([.data]), hasCloud: false, hasOthers: true, pending: 1, isExchanged: false)
        let sent = try #require(explanations.last?.stages.first { $0.name == "sent" })
        #expect(sent.verdict == .ok && sent.advice.contains("for a cloud alone"))
    }

    @Test(
        "a clock that is minutes off is told, with what that does", arguments: [-7_200_000, -60_000, 60_000, 300_000])
    func clock(lead: Int64) throws {
        let explanations = try explanation(Machine.up([.data]), connectedSince: Self.wall, clockLead: lead)
        let stage = explanations.first?.stages.first { $0.name == "clock" }
        #expect(explanations.first?.healthy == (lead.magnitude <= 60_000))
        switch lead {
        case -7_200_000: #expect(stage?.finding.contains("was 2 h behind the cloud's") == true)
        case 300_000: #expect(stage?.finding.contains("was 5 min ahead of the cloud's") == true)
        default: #expect(stage == nil)
        }
        let now = try explanation(
            Machine.up([.data]), connectedSince: Self.wall, clockLead: lead, isClockMeasured: true)
        let measured = now.first?.stages.first { $0.name == "clock" }?.finding
        if stage != nil { #expect(measured?.hasPrefix("this device's clock is ") == true) }
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
        let later = try explanation(machine, lastConnected: Self.wall - 3 * 60_000)
        #expect(later.first?.stages.last?.finding == SyncFailure.refused.message + " Last connected 3 min ago.")
    }

    @Test("what waits for the first download is told, since when, and what would help; it is not said to be sent")
    func early() throws {
        var machine = Machine()
        _ = machine.handle(.added(.data))
        _ = machine.handle(.configured(true))
        _ = machine.handle(.disconnected(.connection), fraction: 1)
        let early = EarlyItems(count: 8, since: Self.wall - 2 * 60_000)
        let zone = try #require(explanation(machine, early: early).last)
        #expect(!zone.healthy)
        let sent = try #require(zone.stages.first { $0.name == "sent" })
        #expect(sent.finding.hasPrefix("8 waiting for 2 min, until all that the account has"))
        #expect(sent.advice.contains("baton cloud status"))
    }

    @Test("without a cloud nothing is wrong: what waits for devices that are near is told, and is well")
    func near() throws {
        var machine = Machine()
        _ = machine.handle(.added(.data))
        for early in [nil, EarlyItems(count: 8, since: Self.wall)] {
            let explanations = try explanation(machine, hasCloud: false, pending: 3, early: early)
            #expect(explanations.map(\.healthy) == [true, true])
            let sent = try #require(explanations.last?.stages.first { $0.name == "sent" })
            #expect(sent.finding.contains("waiting") && sent.advice.contains("baton cloud login"))
        }
    }
}
