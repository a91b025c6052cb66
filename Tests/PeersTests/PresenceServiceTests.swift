import BatonConcurrency
import BatonCore
import BatonDiscovery
import BatonTestSupport
import BatonWire
import SwiftProtobuf
import Synchronization
import Testing

@testable import Peers

@Suite(.timeLimit(.minutes(1))) struct PresenceServiceTests {
    private let network = InMemoryNetwork()
    private let links = InMemoryLinks()

    private func device(_ letter: Character, members: String = "ABC", account: String = "ours") -> FixtureDevice {
        FixtureDevice(letter, members: members, network: network, links: links, account: account)
    }

    // H-2 H-11: devices of one account find each other and exchange what they offer.
    @Test func `devices of an account connect once per pair, and each has the other's newest offers`() async throws {
        let devices = ["A", "B", "C"].map { device($0) }
        devices[0].offer(7)
        try await running(devices) {
            for first in devices {
                for second in devices where first.id != second.id { await first.awaitConnection(to: second.id) }
            }
            let received = await devices[1].nextOffer()
            #expect(received?.0 == devices[0].id)
            #expect(received?.1 == 7)
            devices[0].offer(8)
            // Where both have dialled at once, the one before may come twice, over either connection.
            #expect(await devices[1].nextOffer(newerThan: 7)?.1 == 8)
            let connection = devices[0].service.connections()[devices[1].id]
            #expect(connection?.softwareVersion == "1.0-B")
            let (one, other) = (devices[0], devices[1])
            // Both may have dialled at once: which of the two connections stays is settled a moment later.
            try await within(.seconds(20), "one connection, which one of them has dialled") {
                while true {
                    let sides = [
                        one.service.connections()[other.id]?.dialledHere,
                        other.service.connections()[one.id]?.dialledHere,
                    ]
                    if Set(sides) == [true, false] { return }
                    try await Task.sleep(for: .milliseconds(5))  // sleeps: a replacement causes no event
                }
            }
        }
    }

    // H-2 H-11 H-12: only devices of the same account.
    @Test func `a stranger's announcement is never dialled`() async throws {
        let ours = device("A", members: "AB")
        let other = device("B", members: "AB")
        let stranger = device("C", members: "C", account: "theirs")
        try await running([ours, other, stranger]) {
            await ours.awaitConnection(to: other.id)
        }
        #expect(!links.attempts.contains { $0.contains("C") })
        #expect(ours.service.explain(device: stranger.id).first { $0.name == "account" }?.verdict == .failed)
    }

    @Test func `a name that changes says hello anew, and the stream stays`() async throws {
        let first = device("A")
        let second = device("B")
        // Only one side's stream comes about, so that none is replaced by the other's later.
        links.refuse("A", with: BatonError(.unavailable, reason: "refused", "Nobody listens."))
        try await running([first, second]) {
            await first.awaitConnection(to: second.id)
            await second.awaitConnection(to: first.id)
            let before = network.announcement(host: "A", type: FixtureDevice.type)
            let attempts = links.attempts.count { $0 == "A>B" }
            let since = second.service.connections()[first.id]?.since
            let events = network.join(host: "X").browse(type: FixtureDevice.type)
            first.service.changeName()
            for await event in events {
                if case .lost(let instance) = event, instance == before?.instance { break }
            }
            let after = network.announcement(host: "A", type: FixtureDevice.type)
            #expect(after != nil && after?.instance != before?.instance)
            #expect(after?.instance.count == 16)
            #expect(links.attempts.count { $0 == "A>B" } == attempts)
            #expect(second.service.connections()[first.id]?.since == since)
        }
        #expect(network.announcement(host: "A", type: FixtureDevice.type) == nil)
    }

    // H-11: a port that stayed would reveal that the names are one device's.
    @Test func `a port that changes does so together with the name`() async throws {
        let ports = Mutex(5000)
        let first = FixtureDevice(
            "A", members: "AB", network: network, links: links, namePeriod: .milliseconds(20),
            port: { ports.withLock { $0 } }, renewPort: { ports.withLock { $0 += 1 } })
        let events = network.join(host: "X").browse(type: FixtureDevice.type)
        try await running([first]) {
            var seen: [String: Set<Int>] = [:]
            for await event in events {
                guard case .found(let service) = event, let port = service.addresses.first?.port else { continue }
                seen[service.instance, default: []].insert(port)
                if seen.count == 5 { break }
            }
            #expect(seen.values.allSatisfy { $0.count == 1 })
            #expect(seen.values.reduce(into: Set<Int>()) { $0.formUnion($1) }.count == 5)
        }
    }

    @Test func `another responder that claims the name makes this device choose another`() async throws {
        let first = device("A")
        let other = network.join(host: "X")
        try await running([first]) {
            var names: [String] = []
            for await event in other.browse(type: FixtureDevice.type) {
                guard case .found(let service) = event else { continue }
                names.append(service.instance)
                if names.count == 1 { network.claim(service.instance) } else { break }
            }
            #expect(Set(names).count == 2)
        }
    }

    @Test func `a device that vanished is connected no more once it was asked, one that answers is`() async throws {
        let patient = device("A")
        let other = FixtureDevice(
            "C", members: "BC", network: network, links: links, account: "theirs", answer: .milliseconds(50))
        let (living, vanished) = (PlayedPeer(id: FixtureDevice.id("B")), PlayedPeer(id: FixtureDevice.id("B")))
        try await running([patient, other]) {
            let opened = [
                Task { try await living.open(to: patient) }, Task { try await vanished.open(to: other) },
            ]
            for (peer, device) in [(living, patient), (vanished, other)] {
                try await peer.greet(members: "BC")
                await device.awaitConnection(to: peer.id)
            }
            async let answered: Void = patient.service.confirm(living.id)
            let asked = try await living.receive { $0.keepAlive.answer ? $0 : nil }
            #expect(asked != nil)
            try await living.send { $0.keepAlive.answer = false }
            await answered
            #expect(patient.service.connections()[living.id] != nil)

            await other.service.confirm(vanished.id)
            #expect(other.service.connections()[vanished.id] == nil)
            for peer in [living, vanished] { peer.duplex.close() }
            for task in opened { try await task.value }
            // No answer of a device that is not connected is waited for.
            await other.service.confirm(vanished.id)
        }
    }

    @Test func `without an account nothing is announced, and it begins when there is one`() async throws {
        let first = FixtureDevice("A", members: "", network: network, links: links, hasAccount: false)
        let second = device("B", members: "AB")
        try await running([first, second]) {
            #expect(network.announcement(host: "A", type: FixtureDevice.type) == nil)
            let played = PlayedPeer(id: second.id)
            await #expect(throws: BatonError.self) { try await played.open(to: first) }
            first.account.found(as: first.id, with: [first.id, second.id])
            await first.awaitConnection(to: second.id)
        }
    }

    @Test func `once the account is gone no time is waited for, which would come again and again`() {
        var state = PresenceState(seed: 1, period: .seconds(900), now: .zero, events: Broadcaster(.latest(1)))
        state.setWake(.seconds(3))
        #expect(state.wakeAt == .seconds(3))
        state.endMachine()
        #expect(state.wakeAt == nil)
    }

    // A revoked device: cut off at once and for good.
    @Test func `a revoked device hears why, without the account's keys, and is refused from then on`() async throws {
        let first = device("A", members: "AB")
        let played = PlayedPeer(id: FixtureDevice.id("B"))
        try await running([first]) {
            let opened = Task { try await played.open(to: first) }
            try await played.greet(members: "AB")
            await first.awaitConnection(to: played.id)
            let full = try await played.receive {
                $0.kind.flatMap { if case .membership(let value) = $0 { value } else { nil } }
            }
            #expect(full?.discoveryKeys.count == 1 && full?.contentKeys.count == 1 && full?.hasCloud == true)
            first.account.revoke(played.id)
            let last = try await played.receive { frame in
                if case .membership(let value) = frame.kind, value.statements.count == 1 { value } else { nil }
            }
            #expect(last?.discoveryKeys.isEmpty == true && last?.profiles.isEmpty == true)
            #expect(last?.contentKeys.isEmpty == true && last?.hasCloud == false)
            let goodbye = try await played.receive {
                $0.kind.flatMap { if case .goodbye(let value) = $0 { value } else { nil } }
            }
            #expect(goodbye?.reason == "revoked")
            try await opened.value
            #expect(first.service.connections().isEmpty)
            let again = PlayedPeer(id: played.id)
            let refusal = await #expect(throws: BatonError.self) { try await again.open(to: first) }
            #expect(refusal?.code == .permissionDenied)
        }
    }

    // H-2: a device that is no member, without having been revoked, gets nothing either.
    @Test func `a device that is no member any more gets no more offers and is let go`() async throws {
        let first = device("A", members: "AB")
        let played = PlayedPeer(id: FixtureDevice.id("B"))
        try await running([first]) {
            let opened = Task { try await played.open(to: first) }
            try await played.greet(members: "AB")
            await first.awaitConnection(to: played.id)
            first.offer(7)
            let before = try await played.receive { $0.offersRevision == 7 ? $0 : nil }
            #expect(before != nil)
            first.account.drop(played.id)
            first.offer(8)
            first.account.tell()
            var last: [Baton_Link_V1_PresenceFrame] = []
            while let frame = try await played.duplex.toDialler.next() { last.append(frame) }
            try await opened.value
            #expect(!last.contains { $0.offersRevision == 8 })
            #expect(last.last?.goodbye.reason == "not_a_member")
            let membership = last.last { if case .membership = $0.kind { true } else { false } }?.membership
            #expect(membership?.discoveryKeys.isEmpty == true && membership?.contentKeys.isEmpty == true)
            #expect(first.service.connections().isEmpty)
        }
    }

    @Test func `a device that stops being a member while its stream begins is let go`() async throws {
        let first = device("A", members: "AB")
        let played = PlayedPeer(id: FixtureDevice.id("B"))
        try await running([first]) {
            first.offer(7)
            let opened = Task { try await played.open(to: first) }
            // It is a member for the exchange of the membership, and not any more right after.
            first.account.loseMembers(afterStandings: 1)
            try await played.greet(members: "AB")
            var frames: [Baton_Link_V1_PresenceFrame] = []
            while let frame = try await played.duplex.toDialler.next() { frames.append(frame) }
            try await opened.value
            #expect(!frames.contains { $0.offersRevision == 7 })
            #expect(first.service.connections().isEmpty)
        }
    }

    @Test func `the membership is spread on demand, and who took it is told`() async throws {
        let first = device("A", members: "ABC")
        let (reader, idle) = (PlayedPeer(id: FixtureDevice.id("B")), PlayedPeer(id: FixtureDevice.id("C")))
        try await running([first]) {
            let opened = [reader, idle].map { peer in Task { try await peer.open(to: first) } }
            for peer in [reader, idle] {
                try await peer.greet(members: "ABC")
                await first.awaitConnection(to: peer.id)
            }
            let reading = Task { try await reader.receive { $0.goodbye.reason == "never" ? $0 : nil } }
            // Messages that the other one does not read fill its connection.
            for revision in 1...20 {
                first.offer(UInt64(revision))
                try await idle.send { $0.keepAlive.answer = true }
                try await reader.send { $0.offersRevision = UInt64(revision) }
                while await first.nextOffer()?.1 != UInt64(revision) {}
            }
            let told = await first.service.spreadMembership(within: .milliseconds(500))
            #expect(told == [reader.id])
            for peer in [reader, idle] { peer.duplex.close() }
            for task in opened { try await task.value }
            _ = try await reading.value
        }
    }

    // The contents of a hello are kept as long as its stream.
    @Test func `of a hello only what is known is kept, and its texts are cut`() async throws {
        let first = device("A", members: "AB")
        let played = PlayedPeer(id: FixtureDevice.id("B"))
        try await running([first]) {
            let opened = Task { try await played.open(to: first) }
            let field: [UInt8] = [0xFA, 0x3F, 0x80, 0x80, 0x04] + [UInt8](repeating: 0x6A, count: 1 << 16)
            let hello = try Baton_Link_V1_Hello(serializedBytes: field)
            try await played.send { frame in
                frame.hello = hello
                frame.hello.protocolVersion = ConnectProtocol.version
                frame.hello.deviceName = String(repeating: "x", count: 1 << 16)
                frame.hello.instance = "I" + String(repeating: "\u{301}", count: 1 << 16)
            }
            try await played.send { $0.membership = Baton_Link_V1_Membership() }
            await first.awaitConnection(to: played.id)
            let kept = first.service.state.withLock { $0.streams.values.first?.hello }
            #expect(kept?.unknownFields.data.isEmpty == true)
            #expect((try kept?.serializedBytes() as [UInt8]?)?.count ?? .max < 512)
            played.duplex.close()
            try await opened.value
        }
    }

    @Test
    func `a name that is claimed again and again is changed ever more rarely, and an old one's claim does nothing`()
        async throws
    {
        let random = PresenceRandom(seed: 3)
        var generator = random
        var names = InstanceNames(period: .seconds(900), now: .zero, using: &generator)
        var changes = 0
        // Claimed every second for two hours.
        for second in 0..<7200 {
            _ = names.taken(now: .seconds(second))
            let again = names.taken(now: .seconds(second))
            #expect(!again)
            guard .seconds(second) >= names.nextChange else { continue }
            names.change(now: .seconds(second), using: &generator)
            changes += 1
            if second == 0 { #expect(changes == 1) }
        }
        #expect((8...20).contains(changes), "\(changes) changes")
        // After a quiet hour it starts anew.
        names.change(now: .seconds(8200), using: &generator)
        names.change(now: .seconds(19_990), using: &generator)
        let isNew = names.taken(now: .seconds(20_000))
        #expect(isNew && names.nextChange == .seconds(20_000))
    }

    @Test func `somebody who claims every name has this device write few records`() async throws {
        let first = device("A")
        let other = network.join(host: "X")
        try await running([first]) {
            var names: Set<String> = []
            for await event in other.browse(type: FixtureDevice.type) {
                guard case .found(let service) = event else { continue }
                names.insert(service.instance)
                // The second name is claimed as often as an attacker likes.
                for _ in 0..<(names.count == 1 ? 1 : 50) { network.claim(service.instance) }
                if names.count == 2 { break }
            }
        }
        #expect(first.recorder.events.count { $0 == "name_taken" } <= 2)
    }

    @Test func `a device that others refuse says that it may be revoked, until one is connected`() async throws {
        let first = device("A", members: "AB")
        let played = PlayedPeer(id: FixtureDevice.id("B"))
        try await running([first]) {
            #expect(first.service.discoveryFinding.isEmpty)
            for _ in 0..<3 { first.service.refusedByPeer() }
            #expect(first.service.discoveryFinding.contains("may have been revoked"))
            let stage = first.service.explain(device: played.id).first { $0.name == "tls" }
            #expect(stage?.verdict == .unknown && stage?.advice.contains("pair it again") == true)
            #expect(first.recorder.events.count { $0 == "refused_by_peer" } == 1)
            let opened = Task { try await played.open(to: first) }
            try await played.greet(members: "AB")
            await first.awaitConnection(to: played.id)
            #expect(first.service.discoveryFinding.isEmpty)
            played.duplex.close()
            try await opened.value
            #expect(first.service.discoveryFinding.isEmpty)
        }
    }

    @Test
    func `a device that joined elsewhere is taken for a member when the membership shows it, and gets the keys then`()
        async throws
    {
        let first = device("A", members: "AB")
        let played = PlayedPeer(id: FixtureDevice.id("C"))
        try await running([first]) {
            let opened = Task { try await played.open(to: first) }
            let before = try await played.receive {
                $0.kind.flatMap { if case .membership(let value) = $0 { value } else { nil } }
            }
            #expect(before?.discoveryKeys.isEmpty == true && before?.contentKeys.isEmpty == true)
            try await played.greet(members: "ABC")
            await first.awaitConnection(to: played.id)
            let after = try await played.receive { frame in
                if case .membership(let value) = frame.kind, !value.discoveryKeys.isEmpty { value } else { nil }
            }
            #expect(after != nil)
            // It dialled: this device can call back at the port that it named.
            #expect(first.service.connections()[played.id]?.dialledHere != true)
            played.duplex.close()
            try await opened.value
        }
    }

    @Test func `a device that cannot show its membership is let go`() async throws {
        let first = device("A", members: "AB")
        let played = PlayedPeer(id: FixtureDevice.id("C"))
        try await running([first]) {
            let opened = Task { try await played.open(to: first) }
            try await played.greet(members: "AB")
            try await opened.value
            #expect(first.service.connections().isEmpty)
            let hello = first.service.explain(device: played.id).first { $0.name == "hello" }
            #expect(hello?.verdict == .failed)
        }
    }

    // H-98: a version that is too old is refused clearly; an unknown sort of frame does no harm.
    @Test func `a peer that is too old is told so, and explain says what to do`() async throws {
        let first = device("A", members: "AB")
        let played = PlayedPeer(id: FixtureDevice.id("B"))
        try await running([first]) {
            let opened = Task { try await played.open(to: first) }
            try await played.greet(version: 0, members: "AB")
            let goodbye = try await played.receive {
                $0.kind.flatMap { if case .goodbye(let value) = $0 { value } else { nil } }
            }
            #expect(goodbye?.reason == "protocol_too_old")
            try await opened.value
            let stage = first.service.explain(device: played.id).first { $0.name == "hello" }
            #expect(stage?.verdict == .failed)
            #expect(stage?.advice == "Update Baton on that device.")
        }
    }

    // H-98
    @Test func `a newer peer is served, and frames that only it knows are passed over`() async throws {
        let first = device("A", members: "AB")
        let played = PlayedPeer(id: FixtureDevice.id("B"))
        try await running([first]) {
            let opened = Task { try await played.open(to: first) }
            try await played.send { _ in }
            try await played.greet(version: ConnectProtocol.version + 50, members: "AB")
            try await played.send { _ in }
            try await played.send { $0.offersRevision = 3 }
            #expect(await first.nextOffer()?.1 == 3)
            played.duplex.close()
            try await opened.value
        }
    }

    // H-98
    @Test func `when this device is refused as too old, explain says to update it`() async throws {
        let first = device("A", members: "AB")
        let played = PlayedPeer(id: FixtureDevice.id("B"))
        try await running([first]) {
            let opened = Task { try await played.open(to: first) }
            try await played.send { $0.goodbye.reason = "protocol_too_old" }
            try await opened.value
            let stage = first.service.explain(device: played.id).first { $0.name == "hello" }
            #expect(stage?.advice == "Update Baton on this device.")
        }
    }

    // Consent bypassed by a request out of order: nothing counts before hello and membership.
    @Test(arguments: ["topic", "keepAlive", "membership"]) func `nothing is believed before hello`(
        _ kind: String
    ) async throws {
        let first = device("A", members: "AB")
        let played = PlayedPeer(id: FixtureDevice.id("B"))
        try await running([first]) {
            let opened = Task { try await played.open(to: first) }
            try await played.send { frame in
                switch kind {
                case "topic": frame.offersRevision = 1
                case "keepAlive": frame.keepAlive.answer = true
                default: frame.membership = Baton_Link_V1_Membership()
                }
            }
            try await opened.value
            #expect(first.service.connections().isEmpty)
        }
    }

    @Test func `offers between hello and membership end the stream`() async throws {
        let first = device("A", members: "AB")
        let played = PlayedPeer(id: FixtureDevice.id("B"))
        try await running([first]) {
            let opened = Task { try await played.open(to: first) }
            try await played.send { $0.hello.protocolVersion = 1 }
            try await played.send { $0.offersRevision = 1 }
            try await opened.value
            #expect(first.service.connections().isEmpty)
        }
    }

    // 2,000 offers in one second: bounded, and the others are served meanwhile.
    @Test func `a flood of offers is thinned out to the newest, and another device is heard meanwhile`() async throws {
        let first = FixtureDevice("A", members: "ABC", network: network, links: links, offerDelay: .milliseconds(1))
        let flooder = PlayedPeer(id: FixtureDevice.id("B"))
        let quiet = PlayedPeer(id: FixtureDevice.id("C"))
        try await running([first]) {
            let opened = [Task { try await flooder.open(to: first) }, Task { try await quiet.open(to: first) }]
            for peer in [flooder, quiet] {
                try await peer.greet(members: "ABC")
                await first.awaitConnection(to: peer.id)
            }
            let flood = Task {
                for revision in 1...2000 { try await flooder.send { $0.offersRevision = UInt64(revision) } }
            }
            var fromFlooder = 0
            var sent = 0
            var received = 0
            for await (device, revision) in first.offers {
                if device == flooder.id {
                    fromFlooder += 1
                    if revision == 2000 { break }
                    if sent == received, sent < 20 {
                        sent += 1
                        try await quiet.send { $0.offersRevision = UInt64(sent) }
                    }
                } else {
                    received += 1
                }
            }
            #expect(fromFlooder < 1000, "\(fromFlooder) of 2000 snapshots were looked at")
            #expect(received >= 10)
            try await flood.value
            for peer in [flooder, quiet] { peer.duplex.close() }
            for task in opened { try await task.value }
        }
    }

    @Test func `a peer that never reads costs one frame of each sort`() async throws {
        let first = device("A", members: "AB")
        let played = PlayedPeer(id: FixtureDevice.id("B"))
        try await running([first]) {
            let opened = Task { try await played.open(to: first) }
            try await played.greet(members: "AB")
            await first.awaitConnection(to: played.id)
            for revision in 1...10_000 { first.offer(UInt64(revision)) }
            var revisions: [UInt64] = []
            while revisions.last != 10_000 {
                let revision = try await played.receive { frame -> UInt64? in
                    if case .topic = frame.kind { frame.offersRevision } else { nil }
                }
                revisions.append(try #require(revision))
            }
            #expect(revisions.count < 10)
            played.duplex.close()
            try await opened.value
        }
    }

    @Test func `a keep-alive that asks is answered`() async throws {
        let first = device("A", members: "AB")
        let played = PlayedPeer(id: FixtureDevice.id("B"))
        try await running([first]) {
            let opened = Task { try await played.open(to: first) }
            try await played.greet(members: "AB")
            try await played.send { $0.keepAlive.answer = true }
            let answer = try await played.receive {
                $0.kind.flatMap { if case .keepAlive(let value) = $0 { value } else { nil } }
            }
            #expect(answer?.answer == false)
            let route = first.service.route(to: played.id)
            #expect(route == nil, "nobody said where it came from")
            played.duplex.close()
            try await opened.value
        }
    }

    @Test func `who was dialled and who dialled can both be called`() async throws {
        let first = device("A", members: "AB")
        let second = device("B", members: "AB")
        // Only one side's stream comes about, so that none is replaced by the other's in between.
        links.refuse("A", with: BatonError(.unavailable, reason: "refused", "Nobody listens."))
        try await running([first, second]) {
            await first.awaitConnection(to: second.id)
            await second.awaitConnection(to: first.id)
            for (me, other) in [(first, second), (second, first)] {
                let route = try #require(me.service.route(to: other.id))
                #expect(route.instance == network.announcement(host: other.host, type: FixtureDevice.type)?.instance)
                let isDialler = me.service.connections()[other.id]?.dialledHere == true
                let expected = DiscoveredAddress(host: isDialler ? other.host : "from", port: 4000, interface: "mem0")
                #expect(route.addresses.first == expected)
            }
        }
    }

    @Test func `a device that stops says goodbye, and is found again when it returns`() async throws {
        let first = device("A", members: "AB")
        // Only one side's stream comes about: of two, one ends without a goodbye.
        links.refuse("A", with: BatonError(.unavailable, reason: "refused", "Nobody listens."))
        try await running([first]) {
            let second = FixtureDevice("B", members: "AB", network: network, links: links)
            try await running([second]) { await first.awaitConnection(to: second.id) }
            await first.awaitConnection(false, to: second.id)
            let stage = first.service.explain(device: second.id).first { $0.name == "connected" }
            #expect(stage?.finding.contains("goodbye") == true, "\(stage?.finding ?? "nothing")")
            let returned = FixtureDevice("B", members: "AB", network: network, links: links)
            try await running([returned]) { await first.awaitConnection(to: second.id) }
        }
    }

    @Test func `where a firewall is likely in the way, status and explain name the port`() async throws {
        let first = device("A", members: "AB")
        let second = device("B", members: "AB")
        let timeout = BatonError(.deadlineExceeded, reason: "connect_timeout", "There was no answer in time.")
        for host in ["A", "B"] { links.refuse(host, with: timeout) }
        try await running([first, second]) {
            while !first.service.discoveryFinding.contains("TCP port 4000") { await Task.yield() }
            let stage = first.service.explain(device: second.id).first { $0.verdict == .failed }
            #expect(stage?.name == "dialled")
            #expect(stage?.advice.contains("TCP port 4000") == true)
            for host in ["A", "B"] { links.refuse(host, with: nil) }
            await first.awaitConnection(to: second.id)
            while !first.service.discoveryFinding.isEmpty { await Task.yield() }
        }
    }

    @Test func `explain tells the first stage that fails`() async throws {
        let first = device("A", members: "AB")
        let second = device("B", members: "AB")
        @Sendable func failed() -> String? {
            first.service.explain(device: second.id).first { $0.verdict == .failed }?.name
        }
        #expect(failed() == "announced")
        links.refuse("B", with: BatonError(.unauthenticated, reason: "tls", "The certificate is not of the account."))
        links.refuse("A", with: BatonError(.unauthenticated, reason: "tls", "The certificate is not of the account."))
        try await running([first, second]) {
            let discovery = network.join(host: "X").browse(type: FixtureDevice.type)
            var seen = 0
            for await event in discovery {
                if case .found = event { seen += 1 }
                if seen == 2 { break }
            }
            while failed() != "tls" { await Task.yield() }
            links.refuse("B", with: nil)
            links.refuse("A", with: nil)
            await first.awaitConnection(to: second.id)
            #expect(failed() == nil)
        }
    }
}
