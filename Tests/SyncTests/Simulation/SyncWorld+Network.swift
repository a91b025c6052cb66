import BatonCore
import BatonWire
import Foundation
import KeyValue
import Sync

/// The network, and what is at its other end.
extension SyncWorld {
    static let unreachable = SyncFailure(kind: .connection, reason: "unreachable", message: "Nobody answers.")
    static let notMember = BatonError(.permissionDenied, reason: "not_a_member", "That device was revoked.")

    func send(_ message: Message) { messages.append(message) }

    /// One message arrives, or does not.
    func deliver() throws {
        guard !isCalm else { return try handle(messages.removeFirst()) }
        var index = Int.random(in: 0..<messages.count, using: &random)
        // Messages of one connection's stream arrive in order.
        if case .event(let device, let connection, _) = messages[index] {
            index = messages.firstIndex { $0.isEvent(to: device, connection) } ?? index
        }
        let luck = Int.random(in: 0..<24, using: &random)
        switch messages[index] {
        case .request(let call):
            if luck == 0 {
                statistics.lost += 1
                messages[index] = .answer(call, .failure(SimulatedCall.interrupted))
                return
            }
            if luck == 1 {
                statistics.doubled += 1
                return try handle(messages[index])
            }
        case .answer(let call, _) where luck == 0:
            statistics.lost += 1
            messages[index] = .answer(call, .failure(SimulatedCall.interrupted))
            return
        case .hello(let device, let connection, _, _) where luck == 0:
            messages[index] = .refused(device, connection, Self.unreachable)
            return
        case .given(to: _, from: _, _, _, _, _) where luck < 4:
            if luck == 0 { messages.remove(at: index) } else { try handle(messages[index]) }
            return
        default: break
        }
        try handle(messages.remove(at: index))
    }

    private func handle(_ message: Message) throws {
        switch message {
        case .hello(let device, let connection, let member, let membership):
            hello(device, connection, member, membership)
        case .welcome(let index, let connection, let heads, let membership):
            let device = devices[index]
            guard device.connection == connection else { return }
            do { try device.learn(membership, device.life) } catch { return }
            device.inbox.append(.connected(heads: heads))
            send(.subscribe(index, connection))
        case .subscribe(let device, let connection):
            subscribers[connection] = device
            for (zone, head) in namedHeads().sorted(by: { $0.key < $1.key }) {
                send(.event(device, connection, .head(zone, head)))
            }
            // With the first event a device asks who belongs to the account.
            send(.event(device, connection, .membership))
        case .event(let index, let connection, let event): told(devices[index], connection, event)
        case .merge(let device, let connection, let membership):
            mergeIntoCloud(membership)
            send(.merged(device, connection, cloud.membership))
        case .merged(let index, let connection, let membership):
            let device = devices[index]
            guard device.connection == connection else { return }
            do { try device.learn(membership, device.life) } catch {}
        case .refused(let device, let connection, let failure):
            if devices[device].connection == connection { devices[device].disconnect(failure) }
        case .request(let call): try answer(call)
        case .answer(let call, let result):
            devices[call.device].calls.removeAll { $0 === call }
            call.end(with: result)
        case .given(let index, let from, let zone, let contents, let membership, let generations):
            let device = devices[index]
            // A revoked device is ignored.
            guard device.disk.membership.present.contains(from), device.isMember else { return }
            note("\(index) is given \(contents.map { "\($0.key) of \($0.value.stamp.time)" }.sorted()) by \(from)")
            do {
                try device.learn(membership, generations: generations, device.life)
                try device.take(contents, zone)
            } catch {}
        }
    }

    private func hello(_ device: Int, _ connection: Int, _ member: UInt8, _ membership: SimulatedMembership) {
        guard !cut.contains(device) else { return send(.refused(device, connection, Self.unreachable)) }
        guard !cloud.membership.revoked.contains(member) else {
            return send(.refused(device, connection, SyncFailure(Self.notMember)))
        }
        mergeIntoCloud(membership)
        send(.welcome(device, connection, namedHeads(), cloud.membership))
    }

    private func namedHeads() -> [ZoneName: SyncStateMachine.ZoneHead] {
        cloud.heads.reduce(into: [:]) { heads, head in
            if let zone = zone(head.key) { heads[zone] = head.value }
        }
    }

    private func mergeIntoCloud(_ membership: SimulatedMembership) {
        let merged = cloud.membership.merged(membership)
        guard merged != cloud.membership else { return }
        cloud.membership = merged
        // It counts at once: streams end.
        for device in devices where merged.revoked.contains(device.disk.member) {
            if let connection = device.connection {
                subscribers[connection] = nil
                send(.refused(device.index, connection, SyncFailure(Self.notMember)))
            }
        }
        announce(.membership)
    }

    private func announce(_ event: Event) {
        subscribers = subscribers.filter { devices[$0.value].connection == $0.key }
        for (connection, device) in subscribers.sorted(by: { $0.key < $1.key }) {
            send(.event(device, connection, event))
        }
    }

    private func told(_ device: SimulatedDevice, _ connection: Int, _ event: Event) {
        guard device.connection == connection else { return }
        switch event {
        case .head(let zone, let head): device.inbox.append(.head(zone, head))
        case .gone(let zone): device.inbox.append(.refresh(zone))
        case .membership: send(.merge(device.index, connection, device.disk.membership))
        }
    }

    /// The cloud does what it is asked, and answers.
    private func answer(_ call: SimulatedCall) throws {
        guard !cloud.membership.revoked.contains(call.member), call.member != 0 else {
            return send(.answer(call, .failure(Self.notMember)))
        }
        guard !cut.contains(call.device) else {
            return send(.answer(call, .failure(SimulatedCall.interrupted)))
        }
        try checkSecrecy(call)
        let isWrite: Bool = if case .write = call.request { true } else { false }
        let before = isWrite ? cloud.heads : [:]
        do {
            let answer = try cloud.answer(call.request)
            if case .write(let written) = answer, !written.conflicts.isEmpty { statistics.conflicts += 1 }
            send(.answer(call, .success(answer)))
        } catch {
            send(.answer(call, .failure(error)))
        }
        guard isWrite else { return }
        announceMoves(since: before)
    }

    func announceMoves(since before: [Data: SyncStateMachine.ZoneHead]) {
        for (id, head) in cloud.heads where before[id] != head {
            if let zone = zone(id) { announce(.head(zone, head)) }
        }
    }

    /// No device seals a key for one that must not have it.
    private func checkSecrecy(_ call: SimulatedCall) throws {
        guard case .write(let request) = call.request, zone(request.zoneID) == KeyZone.zone else { return }
        for write in request.writes {
            guard let generation = write.put.sealed.first, let member = write.put.sealed.last else { continue }
            guard !generations[Int(generation)].revoked.contains(member) else {
                throw Violation("key \(generation) is written for member \(member), which was revoked")
            }
        }
    }

    func removeZone(_ zone: ZoneName) {
        cloud.removeZone(Data(zone.name.utf8))
        announce(.gone(zone))
    }

    /// Every connection ends; what was asked may have been done or not.
    func breakConnections() {
        subscribers = [:]
        for device in devices { device.disconnect(Self.unreachable) }
    }
}

extension SyncWorld.Message {
    fileprivate func isEvent(to device: Int, _ connection: Int) -> Bool {
        if case .event(let other, let number, _) = self { other == device && number == connection } else { false }
    }
}
