import BatonCore
import BatonTransport
import BatonWire
import Foundation
import SwiftProtobuf

/// One zone with one device: what changed here since both had the same; where that is not known, or is not all, which of its ranges
/// differ, so that what is said depends on what differs and not on how much there is; then the items of these ranges.
extension DirectExchange {
    func exchange(_ zone: ZoneName, with device: DeviceID) async throws {
        guard let source = sync.source(of: zone) else { return }
        let known = known(of: zone, with: device)
        let changes = try await source.changes(in: zone, after: known?.position)
        if let changes, let names = changes.names, !names.isEmpty, known?.mayGoOn ?? false {
            try await exchange(names.map(ItemRange.init(of:))[...], of: zone, source, with: device)
            if try await isSame(zone, source, with: device) {
                note(.init(position: changes.position), of: zone, with: device)
                if sync.isCloudAway { try await source.didFinishInitialFetch(zone, by: .device) }
                return
            }
            // More has changed here meanwhile, which the next exchange brings.
            if try await source.changes(in: zone, after: changes.position)?.names?.isEmpty == false {
                let inARow = (known?.inARow ?? 0) + 1
                return note(.init(position: changes.position, inARow: inARow), of: zone, with: device)
            }
        }
        try await exchangeWhole(zone, source, with: device)
        if let changes { note(.init(position: changes.position), of: zone, with: device) }
    }

    private func isSame(_ zone: ZoneName, _ source: any ZoneSource, with device: DeviceID) async throws -> Bool {
        guard let digest = try await source.digest(of: zone), !digest.isEmpty else { return false }
        let answer = try await peers.call(
            SyncMethods.compareZones,
            .with {
                $0.time = sync.clock.milliseconds
                $0.zones = [
                    .with {
                        $0.zone = zone.message
                        $0.digest = digest
                    }
                ]
            }, device, Self.timeout)
        return answer.same.contains(zone.message)
    }

    private func exchangeWhole(_ zone: ZoneName, _ source: any ZoneSource, with device: DeviceID) async throws {
        try await exchange(try await differing(of: zone, source, with: device)[...], of: zone, source, with: device)
        // While the cloud cannot say what the account has, the other device can.
        if sync.isCloudAway { try await source.didFinishInitialFetch(zone, by: .device) }
    }

    private func exchange(
        _ ranges: ArraySlice<ItemRange>, of zone: ZoneName, _ source: any ZoneSource, with device: DeviceID
    ) async throws {
        var work = ranges
        while !work.isEmpty {
            try await exchange(Array(work.prefix(Self.rangesAtOnce)), of: zone, source, with: device)
            work = work.dropFirst(Self.rangesAtOnce)
        }
    }

    /// Ranges that differ, and have few items on both devices, or none on one.
    private func differing(
        of zone: ZoneName, _ source: any ZoneSource, with device: DeviceID
    ) async throws -> [ItemRange] {
        let count = try await source.digests(of: [.all], in: zone).first?.count ?? 0
        guard count > Self.smallZone else { return [.all] }
        var found: [ItemRange] = []
        var open: [ItemRange] = [.all]
        while !open.isEmpty {
            var next: [ItemRange] = []
            for start in stride(from: 0, to: open.count, by: Self.rangesAtOnce) {
                let ranges = Array(open[start..<min(start + Self.rangesAtOnce, open.count)])
                let (few, many) = try await compare(ranges, of: zone, source, with: device)
                found += few
                next += many
            }
            open = next
        }
        return found
    }

    private func compare(
        _ ranges: [ItemRange], of zone: ZoneName, _ source: any ZoneSource, with device: DeviceID
    ) async throws -> (few: [ItemRange], many: [ItemRange]) {
        let parts = ranges.map(\.parts)
        let digests = try await source.digests(of: parts.flatMap { $0 }, in: zone)
        guard digests.count == 16 * ranges.count else { return ([], []) }
        let answer = try await peers.call(
            SyncMethods.compareRanges,
            .with {
                $0.zone = zone.message
                $0.ranges = ranges.enumerated().map { index, range in
                    .with {
                        $0.range = range.message
                        $0.sums = digests[16 * index..<16 * index + 16].map(\.short)
                    }
                }
            }, device, Self.timeout)
        guard answer.differences.count == ranges.count else {
            throw BatonError(
                .internal, reason: "malformed_answer",
                "The other device's answer does not match the request. Update it.")
        }
        var (few, many): ([ItemRange], [ItemRange]) = ([], [])
        for (index, difference) in answer.differences.enumerated() {
            for (number, part) in parts[index].enumerated() where difference.differing >> number & 1 == 1 {
                let own = digests[16 * index + number].count
                let theirs = (
                    isLarge: difference.large >> number & 1 == 1, isEmpty: difference.empty >> number & 1 == 1
                )
                // If one side has nothing in the range, all of it is requested.
                let isSmall = own == 0 || theirs.isEmpty || (own <= Self.fewItems && !theirs.isLarge)
                if isSmall || part.depth == ItemRange.maximumDepth { few.append(part) } else { many.append(part) }
            }
        }
        return (few, many)
    }

    /// Makes ranges the same. Those whose stamps do not fit into one message are divided.
    private func exchange(
        _ ranges: [ItemRange], of zone: ZoneName, _ source: any ZoneSource, with device: DeviceID
    ) async throws {
        for _ in 0..<Self.maximumRounds {
            let stamps = try await source.stamps(in: ranges, of: zone, meeting: [])
            let bytes = stamps.reduce(0) { $0 + $1.key.utf8.count + $1.value.count + 16 }
            let parts = bytes > Self.stampBytes ? Self.divided(ranges) : []
            guard parts.isEmpty else {
                for part in parts { try await exchange(part, of: zone, source, with: device) }
                return
            }
            let answer = try await peers.call(
                SyncMethods.exchangeZone, .init(zone, stamps: stamps, in: ranges), device, Self.timeout)
            sync.largeExchanges.note(answer.items.count, of: zone, with: device, .own)
            try await sync.take(
                answer.items, in: zone, source, from: device, peers, asked: answer.settled(among: stamps.keys))
            let newer = try await newer(than: answer.items.filter { stamps[$0.name] == nil }, in: zone, source)
            try await give(answer.wanted.filter { stamps[$0] != nil } + newer, of: zone, source, to: device)
            guard answer.more else { break }
            let isSame = try await source.stamps(in: ranges, of: zone, meeting: []) == stamps
            // Nothing that came was taken in, or was answered: asking again would bring the same.
            if isSame, newer.isEmpty { break }
        }
    }

    /// Empty when there is nothing to divide.
    private static func divided(_ ranges: [ItemRange]) -> [[ItemRange]] {
        guard ranges.count == 1 else {
            return [Array(ranges[..<(ranges.count / 2)]), Array(ranges[(ranges.count / 2)...])]
        }
        return ranges[0].parts.map { [$0] }
    }

    /// Tombstones withheld so far that supersede what the peer just sent.
    private func newer(
        than items: [Baton_Link_V1_DirectItem], in zone: ZoneName, _ source: any ZoneSource
    ) async throws -> [String] {
        guard !items.isEmpty else { return [] }
        let theirs = source.stamps(of: Dictionary(items.map { ($0.name, $0.content) }) { _, last in last })
        let own = try await source.stamps(
            in: theirs.keys.map(ItemRange.init(of:)), of: zone, meeting: Set(theirs.keys))
        return theirs.filter { name, stamp in own[name].map { $0 != stamp } ?? false }.keys.sorted()
    }

    private func give(_ names: [String], of zone: ZoneName, _ source: any ZoneSource, to device: DeviceID) async throws
    {
        var rest = names[...]
        while !rest.isEmpty {
            let (items, count) = try await source.items(rest, of: zone, atMost: Self.messageBytes)
            rest = rest.dropFirst(count)
            guard !items.isEmpty else { continue }
            sync.largeExchanges.note(items.count, of: zone, with: device, .own)
            defer { sync.largeExchanges.goOn(items.count, of: zone, with: device, .own) }
            _ = try await peers.call(
                SyncMethods.giveItems,
                .with {
                    $0.zone = zone.message
                    $0.items = items
                }, device, Self.timeout)
        }
    }
}

extension ItemRange {
    init?(_ message: Baton_Link_V1_ItemRange) { self.init(depth: Int(message.depth), start: message.start) }

    var message: Baton_Link_V1_ItemRange {
        .with {
            $0.depth = UInt32(clamping: depth)
            $0.start = start
        }
    }
}
