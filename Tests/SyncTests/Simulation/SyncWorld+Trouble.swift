import BatonCloud
import BatonCore
import Foundation
import KeyValue
import Sync

/// Accidents of devices, of the account, and of the cloud.
extension SyncWorld {
    func trouble(_ device: SimulatedDevice) throws {
        cloud.forgetDeletions()
        if isFaulty, Bool.random(using: &random) { try lie() }
        switch Int.random(in: 0..<(hasKeys ? 16 : 11), using: &random) {
        case 0, 1:
            if cut.remove(device.index) == nil { cut.insert(device.index) }
            device.disconnect(Self.unreachable)
        case 2:
            note("the cloud crashes")
            breakConnections()
            cloud.restart()
        case 3, 4: backup = cloud.kept
        case 5: Bool.random(using: &random) ? try restore() : putBack()
        case 6:
            note("weeks go by")
            breakConnections()
            loseRequests()
            messages.removeAll { message in if case .given = message { true } else { false } }
            wake(after: 100 * 86_400_000)
        case 7, 8:
            if device.disk.member == 0 { try join(device) } else { try signOut(device) }
        case 9: device.inbox.append(.networkChanged)
        case 11...: try revoke(device)
        default:
            let zone = zones[0]
            note("the zone is removed")
            breakConnections()
            loseRequests()
            removeZone(zone)
            forgiveLosses()
        }
        bury()
    }

    private func lie() throws {
        let zone = zones[Int.random(in: 0..<zones.count, using: &random)]
        let before = cloud.heads
        guard let what = try cloud.lie(in: Data(zone.name.utf8), &random) else { return }
        note("the cloud lies: \(zone.name)/\(what)")
        statistics.lies += 1
        forgiveLosses()
        // The lie may be forgotten before anybody has read it.
        if Bool.random(using: &random) {
            time.now += 1
            cloud.forgetDeletions()
        }
        announceMoves(since: before)
    }

    /// A removal that no present device has heard of may be undone: by a cloud, or by a device that was away.
    private func forgiveReturns() {
        let stores = members.compactMap { $0.disk.stores }
        buried = buried.filter { value in
            guard let setting = values[value], let time = setting.time else { return true }
            return stores.contains { stores in
                guard let store = stores[setting.zone], case .synced = store.phase else { return false }
                return store.slots[setting.key].map { $0.entry.stamp.time > time } ?? false
            }
        }
    }

    /// Requests that are on their way do not reach the cloud any more.
    private func loseRequests() {
        messages.removeAll { message in if case .request = message { true } else { false } }
    }

    private func restore() throws {
        note("a backup is played in")
        statistics.restores += 1
        breakConnections()
        loseRequests()
        try cloud.restore(backup)
        forgiveLosses()
        // Values that were removed and forgotten everywhere may be in the backup.
        buried = []
    }

    /// The folder's copy is put back, without notice.
    private func putBack() {
        note("a copy is put back")
        statistics.putBacks += 1
        breakConnections()
        loseRequests()
        cloud.putBack(backup)
        forgiveLosses()
        // As after a backup.
        buried = []
    }

    // MARK: The account

    /// Another member lets the device in.
    func join(_ device: SimulatedDevice) throws {
        guard device.disk.member == 0, memberCount < 200, let sponsor = members.first(where: \.isMember) else { return }
        memberCount += 1
        statistics.joined += 1
        let member = memberCount
        note("\(device.index) joins as \(member)")
        do {
            var membership = sponsor.disk.membership
            membership.members.insert(member)
            try sponsor.learn(membership, sponsor.life)
            try device.write(device.life) { disk in
                disk.member = member
                disk.membership = membership
                disk.generations = sponsor.knownGenerations
            }
            try device.reconcile()
        } catch is SimulatedDevice.Crash {}
        device.acknowledged = [:]
    }

    private func signOut(_ device: SimulatedDevice) throws {
        guard members.contains(where: { $0 !== device }), !isOnlyHolder(device) else { return }
        note("\(device.index) signs out")
        statistics.signOuts += 1
        device.disconnect(Self.unreachable)
        do {
            try device.write(device.life) { disk in
                disk.member = 0
                disk.membership = SimulatedMembership()
                disk.generations = []
            }
            try device.reconcile()
        } catch is SimulatedDevice.Crash {}
        if device.disk.member == 0 {
            device.acknowledged = [:]
            forgiveLosses()
        }
    }

    private func revoke(_ device: SimulatedDevice) throws {
        guard hasKeys, device.disk.member != 0, !revoked.contains(device.disk.member), !isOnlyHolder(device),
            let other = members.first(where: { $0 !== device && $0.isMember })
        else { return }
        note("\(other.index) revokes \(device.index)")
        var membership = other.disk.membership
        membership.revoked.insert(device.disk.member)
        membership.members.insert(device.disk.member)
        do { try other.learn(membership, other.life) } catch {}
        guard other.disk.membership.revoked.contains(device.disk.member) else { return }
        statistics.revocations += 1
        revoked.insert(device.disk.member)
        do { try other.makeKeyIfNeeded(other.life) } catch {}
        forgiveLosses()
    }

    /// A device that alone has a key takes with it the items sealed under it.
    private func isOnlyHolder(_ device: SimulatedDevice) -> Bool {
        let others = members.filter { $0 !== device }.reduce(into: Set<UInt8>()) {
            $0.formUnion($1.disk.generations)
        }
        return !device.disk.generations.isSubset(of: others)
    }

    // MARK: Permitted losses

    /// A value that is on no disk of a member, and not in the cloud, cannot come back.
    private func forgiveLosses() {
        for zone in zones {
            let items = cloudEntries(zone)
            for (key, entry) in acknowledged[zone] ?? [:] {
                let isHeld =
                    items[key].map { $0.stamp >= entry.stamp } ?? false
                    || members.contains {
                        // Values that a device had before its first download give way.
                        guard let store = $0.disk.stores[zone], case .synced = store.phase else { return false }
                        return store.slots[key].map { $0.entry.stamp >= entry.stamp } ?? false
                    }
                if !isHeld {
                    note("“\(key)” of \(entry.stamp.time) is lost rightly")
                    acknowledged[zone]?[key] = nil
                    // So may be a removal that only one had seen, and what it removed is what the cloud has.
                    for (value, setting) in values where setting.zone == zone && setting.key == key {
                        buried.remove(value)
                    }
                }
            }
        }
        forgiveReturns()
    }

    func cloudEntries(_ zone: ZoneName) -> [String: KeyValueEntry] {
        cloud.items(of: Data(zone.name.utf8)).reduce(into: [:]) { entries, item in
            guard let sealed = item.content?.sealed else { return }
            entries[String(decoding: item.id.bytes, as: UTF8.self)] = entry(Data(sealed.dropFirst()))
        }
    }

    /// Values that all have removed must stay removed.
    func bury() {
        let members = members
        for zone in zones {
            let replicas = members.compactMap { $0.replicas[zone] }
            guard replicas.allSatisfy({ if case .synced = $0.phase { true } else { false } }) else { continue }
            // Values that were set elsewhere may still come.
            let others = devices.filter { device in !members.contains { $0 === device } }
            for key in Self.keys {
                guard replicas.allSatisfy({ $0.slots[key].map { $0.entry.value == nil } ?? false }),
                    Set(replicas.map { $0.slots[key]?.entry.stamp }).count == 1,
                    let removal = replicas.first?.slots[key]?.entry.stamp.time
                else { continue }
                let coming = Set(others.compactMap { $0.replicas[zone]?.value(forKey: key) })
                for (value, setting) in values
                where setting.zone == zone && setting.key == key && !coming.contains(.integer(value)) {
                    guard let time = setting.time, time < removal else { continue }
                    if buried.insert(value).inserted { statistics.buried += 1 }
                }
            }
        }
    }
}
