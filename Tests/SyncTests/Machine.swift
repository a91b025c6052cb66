import Foundation
import KeyValue

@testable import Sync

/// A machine with a clock.
struct Machine {
    var machine = SyncStateMachine(policies: Machine.policies)
    private(set) var now: UInt64 = 1000

    static let policies: [ZoneName.Kind: ZonePolicy] = [
        .keyValue: .sparing, .contentKeys: ZonePolicy(priority: 2, requires: [], burst: 20, pause: 250),
        .account: ZonePolicy(priority: 1, burst: 20, pause: 250),
    ]

    /// One that is connected and knows these zones.
    static func up(_ zones: [ZoneName], heads: [ZoneName: SyncStateMachine.ZoneHead] = [:]) -> Machine {
        var machine = Machine()
        for zone in zones { _ = machine.handle(.added(zone)) }
        _ = machine.handle(.configured(true))
        _ = machine.handle(.connected(heads: heads))
        return machine
    }

    mutating func handle(
        _ input: SyncStateMachine.Input, after passed: UInt64 = 0, fraction: Double = 0.5
    ) -> [SyncStateMachine.Action] {
        now += passed
        return machine.handle(input, now: now, fraction: fraction)
    }

    var nextWake: UInt64? { machine.nextWake }

    /// How long until then.
    var wait: UInt64? { machine.nextWake.map { $0 - min($0, now) } }

    /// Goes to the moment for which it asked.
    mutating func wake() -> [SyncStateMachine.Action] {
        now = max(now, machine.nextWake ?? now)
        return handle(.woke)
    }

    /// A zone of an empty cloud is read, and nothing is to be sent.
    mutating func finish(_ zone: ZoneName) {
        _ = handle(.pulled(zone, .absent(wasThere: false)))
        _ = handle(.pushed(zone, .nothing))
    }

    func isBusy(_ zone: ZoneName) -> Bool { machine.zones[zone]?.operation != nil }
}

extension ZoneName {
    static let data = ZoneName(kind: .keyValue, name: "a")
    static let other = ZoneName(kind: .keyValue, name: "b")
    static let keys = KeyZone.zone
}

extension SyncFailure {
    static let connection = SyncFailure(kind: .connection, reason: "unreachable", message: "Nobody answers.")
    static let refused = SyncFailure(kind: .refused, reason: "not_a_member", message: "It was revoked.")
    static let token = SyncFailure(kind: .token, reason: "token_expired", message: "It ran out.")
    static let zone = SyncFailure(kind: .zone, reason: "quota_exceeded", message: "There is no room.")
}

extension SyncStateMachine.ZoneHead {
    init(_ version: UInt64, _ epoch: UInt8 = 1) { self.init(version: version, epoch: Data([epoch])) }
}
