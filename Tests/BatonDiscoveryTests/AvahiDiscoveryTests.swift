import BatonCore
import BatonDiscovery
import BatonTestSupport
import Foundation
import Testing

/// Real multicast between network namespaces: as root. Without root these tests fail, they are not skipped.
@Suite(.serialized, .timeLimit(.minutes(2))) struct AvahiDiscoveryTests {
    private static let type = "_batontest._tcp"

    private func discovery(
        on machine: Int, of namespaces: NetworkNamespaces, recorder: any EventRecorder = NullEventRecorder()
    ) -> AvahiDiscovery {
        AvahiDiscovery(recorder: recorder) { namespaces.enterOnThisThread(machine) }
    }

    private func announcement(_ instance: String, port: Int = 4711) -> Announcement {
        Announcement(instance: instance, port: port, attributes: ["a": "TOKEN", "d": "OTHER"])
    }

    /// The first service of that name for which `condition` holds.
    private func find(
        _ instance: String, in stream: AsyncStream<DiscoveryEvent>,
        where condition: (DiscoveredService) -> Bool = { _ in true }
    ) async -> DiscoveredService? {
        for await event in stream {
            if case .found(let service) = event, service.instance == instance, condition(service) { return service }
        }
        return nil
    }

    private func loss(of instance: String, in stream: AsyncStream<DiscoveryEvent>) async -> Bool {
        for await event in stream {
            if case .lost(let lost) = event, lost == instance { return true }
        }
        return false
    }

    // H-11 H-12: nearby devices, those on the same network, find each other.
    @Test func `devices on one network find each other whoever starts first, with all addresses`() async throws {
        try await NetworkNamespaces.with(2) { namespaces in
            let first = discovery(on: 0, of: namespaces)
            try await first.announce(announcement("first"), type: Self.type)
            let firstEvents = first.browse(type: Self.type)
            // The second one is there later, when the first is settled.
            let earlier = discovery(on: 1, of: namespaces)
            try await earlier.announce(announcement("earlier"), type: Self.type)
            #expect(await find("earlier", in: firstEvents) != nil)
            await earlier.shutdown()

            let second = discovery(on: 1, of: namespaces)
            try await second.announce(announcement("second"), type: Self.type)
            // Addresses come one by one.
            let found = await find("first", in: second.browse(type: Self.type)) { service in
                service.addresses.contains { $0.description == "\(namespaces.addresses[0]):4711" }
            }
            let back = await find("second", in: firstEvents)

            #expect(found?.attributes == ["a": "TOKEN", "d": "OTHER"])
            #expect(back?.addresses.allSatisfy { $0.interface == NetworkNamespaces.interface } == true)
            let complete = await find("first", in: second.browse(type: Self.type)) { $0.addresses.count == 3 }
            let hosts = complete?.addresses.map(\.host) ?? []
            #expect(hosts.first == namespaces.addresses[0])
            #expect(hosts.contains("fd77::1"))
            #expect(hosts.contains { $0.hasPrefix("fe80:") && $0.hasSuffix("%eth0") })
            await first.shutdown()
            await second.shutdown()
        }
    }

    // H-11: whatever strangers announce.
    @Test func `devices find each other while a stranger announces 20,000 instances a second`() async throws {
        try await NetworkNamespaces.with(3) { namespaces in
            let flood = InstanceFlood(type: Self.type, address: namespaces.addresses[2]) {
                namespaces.enterOnThisThread(2)
            }
            defer { flood.stop() }
            let overflow = EventWaiter("too_many_instances")
            let seeker = discovery(on: 0, of: namespaces, recorder: overflow)
            let events = seeker.browse(type: Self.type) { $0.hasPrefix("ours") }
            await overflow.wait()
            for name in ["ours-1", "ours-2"] {
                let device = discovery(on: 1, of: namespaces)
                try await device.announce(announcement(name), type: Self.type)
                #expect(await find(name, in: events)?.attributes["a"] == "TOKEN")
                await device.shutdown()
            }
            await seeker.shutdown()
        }
    }

    // H-11 H-12
    @Test func `devices on different networks do not find each other`() async throws {
        try await NetworkNamespaces.with(2, joined: false) { namespaces in
            let first = discovery(on: 0, of: namespaces)
            let second = discovery(on: 1, of: namespaces)
            try await first.announce(announcement("first"), type: Self.type)
            try await second.announce(announcement("second"), type: Self.type)
            let events = second.browse(type: Self.type)
            // A third on the second's network: when it is found, the first would have been too.
            let third = discovery(on: 1, of: namespaces)
            try await third.announce(announcement("third"), type: Self.type)
            var names: [String] = []
            for await event in events {
                guard case .found(let service) = event else { continue }
                names.append(service.instance)
                if service.instance == "third" { break }
            }
            #expect(names == ["third"])
            for discovery in [first, second, third] { await discovery.shutdown() }
        }
    }

    @Test func `a goodbye, a replacement and an unplugged cable are noticed`() async throws {
        try await NetworkNamespaces.with(2) { namespaces in
            let first = discovery(on: 0, of: namespaces)
            let second = discovery(on: 1, of: namespaces)
            let events = second.browse(type: Self.type)
            try await first.announce(announcement("one"), type: Self.type)
            #expect(await find("one", in: events) != nil)
            try await first.announce(announcement("two", port: 99), type: Self.type)
            let lostFirst = second.browse(type: Self.type)
            #expect(await find("two", in: events)?.addresses.first?.port == 99)
            #expect(await loss(of: "one", in: lostFirst))
            try await first.announce(nil, type: Self.type)
            #expect(await loss(of: "two", in: events))

            try await first.announce(announcement("three"), type: Self.type)
            #expect(await find("three", in: events) != nil)
            try await namespaces.ip(on: 1, ["link", "set", NetworkNamespaces.interface, "down"])
            var sawUnavailable = false
            for await event in events {
                if case .unavailable(let reason) = event {
                    sawUnavailable = true
                    #expect(reason.contains("No network interface"))
                    break
                }
            }
            #expect(sawUnavailable)
            try await namespaces.ip(on: 1, ["link", "set", NetworkNamespaces.interface, "up"])
            var sawChange = false
            for await event in events {
                if case .networkChanged = event { sawChange = true }
                if case .found(let service) = event, service.instance == "three" { break }
            }
            #expect(sawChange)
            await first.shutdown()
            await second.shutdown()
        }
    }

    @Test func `a device whose address changes is found at the new one after a refresh or a new name`() async throws {
        try await NetworkNamespaces.with(2) { namespaces in
            let first = discovery(on: 0, of: namespaces)
            let second = discovery(on: 1, of: namespaces)
            let own = first.browse(type: Self.type)
            let events = second.browse(type: Self.type)
            try await first.announce(announcement("one"), type: Self.type)
            #expect(await find("one", in: events) != nil)
            try await namespaces.ip(on: 0, ["addr", "add", "10.77.0.99/24", "dev", NetworkNamespaces.interface])
            for await event in own { if case .networkChanged = event { break } }
            try await first.announce(announcement("two"), type: Self.type)
            let service = await find("two", in: events) { $0.addresses.contains { $0.host == "10.77.0.99" } }
            #expect(service != nil)
            await first.shutdown()
            await second.shutdown()
        }
    }

    @Test func `a name that another responder claims is given up and reported`() async throws {
        try await NetworkNamespaces.with(2) { namespaces in
            let first = discovery(on: 0, of: namespaces)
            let second = discovery(on: 1, of: namespaces)
            let streams = [first.browse(type: Self.type), second.browse(type: Self.type)]
            try await first.announce(announcement("same", port: 1), type: Self.type)
            try await second.announce(announcement("same", port: 2), type: Self.type)
            let taken = await withTaskGroup(of: String?.self) { group in
                for stream in streams {
                    group.addTask {
                        for await event in stream {
                            if case .nameTaken(let instance) = event { return instance }
                        }
                        return nil
                    }
                }
                let name = await group.next() ?? nil
                group.cancelAll()
                return name
            }
            #expect(taken == "same")
            await first.shutdown()
            await second.shutdown()
        }
    }

    @Test func `nothing on the air names the machine, and the host name changes with the instance`() async throws {
        try await NetworkNamespaces.with(2) { namespaces in
            let capture = PacketCapture { namespaces.enterOnThisThread(1) }
            let first = discovery(on: 0, of: namespaces)
            let second = discovery(on: 1, of: namespaces)
            let events = second.browse(type: Self.type)
            for instance in ["instanceone", "instancetwo"] {
                try await first.announce(announcement(instance), type: Self.type)
                #expect(await find(instance, in: events) != nil)
            }
            await first.shutdown()
            await second.shutdown()
            let text = String(decoding: capture.stop(), as: UTF8.self).lowercased()
            // The capture works, and so would find what must not be there.
            #expect(text.contains("instanceone") && text.contains("instancetwo") && text.contains("token"))
            let machine = ProcessInfo.processInfo.hostName.lowercased()
            for name in [
                machine, machine.split(separator: ".").first.map(String.init) ?? machine, "linux", "x86_64", "cookie",
            ] {
                // Any noise has two or three letters, so a short name counts as a whole label.
                let label = String(UnicodeScalar(UInt8(clamping: name.utf8.count))) + name
                #expect(!text.contains(name.utf8.count < 4 ? label : name), "“\(name)” was sent")
            }
            // Counted when all was captured: what is on its way is not seen at once.
            let hosts = capture.hostLabels()
            #expect(hosts.count == 2, "\(hosts.count) host names")
        }
    }

    @Test func `two daemons on one machine find each other on the loopback alone`() async throws {
        let first = AvahiDiscovery(interfaces: ["lo"])
        let second = AvahiDiscovery(interfaces: ["lo"])
        let suffix = String(UInt32.random(in: 0 ... .max), radix: 36)
        try await first.announce(announcement("lo1-\(suffix)"), type: Self.type)
        try await second.announce(announcement("lo2-\(suffix)"), type: Self.type)
        let found = await find("lo1-\(suffix)", in: second.browse(type: Self.type))
        let back = await find("lo2-\(suffix)", in: first.browse(type: Self.type))
        // One address may come before the other, or both at once.
        #expect(found.map { Set($0.addresses.map(\.host)).isSubset(of: ["127.0.0.1", "::1"]) } == true)
        #expect(back.map { Set($0.addresses.map(\.interface)) } == ["lo"])
        await first.shutdown()
        await second.shutdown()
    }

    @Test func `without a usable interface the reason is told`() async {
        let discovery = AvahiDiscovery(interfaces: ["nosuch0"])
        var reason = ""
        for await event in discovery.browse(type: Self.type) {
            if case .unavailable(let text) = event {
                reason = text
                break
            }
        }
        #expect(reason.contains("nosuch0"))
        await discovery.shutdown()
    }

    @Test func `after shutdown streams are over, announcing is refused, and another shutdown returns`() async {
        let discovery = AvahiDiscovery(interfaces: ["lo"])
        let stream = discovery.browse(type: Self.type)
        await discovery.shutdown()
        for await _ in stream {}
        for await _ in discovery.browse(type: Self.type) {}
        await #expect(throws: BatonError.self) { try await discovery.announce(announcement("x"), type: Self.type) }
        await discovery.shutdown()
    }

    @Test func `an announcement that DNS-SD cannot carry is refused`() async {
        let discovery = AvahiDiscovery(interfaces: ["lo"])
        for (announcement, type) in [
            (announcement("x", port: 0), Self.type), (announcement("x", port: 70000), Self.type),
            (announcement(""), Self.type), (announcement(String(repeating: "x", count: 64)), Self.type),
            (announcement("x"), "nonsense"),
            (Announcement(instance: "x", port: 1, attributes: ["a=b": "c"]), Self.type),
            (Announcement(instance: "x", port: 1, attributes: ["a": String(repeating: "x", count: 500)]), Self.type),
        ] {
            await #expect(throws: BatonError.self) { try await discovery.announce(announcement, type: type) }
        }
        await discovery.shutdown()
    }
}

/// Waits for an event to be recorded.
private final class EventWaiter: EventRecorder {
    private let name: String
    private let (recorded, signal) = AsyncStream.makeStream(of: Never.self)

    init(_ name: String) { self.name = name }

    func record(_ category: String, _ event: String, _ message: String, _ fields: [String: String]) {
        if event == name { signal.finish() }
    }

    func wait() async { for await _ in recorded {} }
}
