import BatonCore
import Testing

@testable import BatonDiscovery

@Suite struct ServiceTableTests {
    private let lan = ServiceTable.Place(interface: 2, isIPv6: false)
    private let lan6 = ServiceTable.Place(interface: 2, isIPv6: true)

    private func ipv4(_ last: UInt8, _ first: UInt8 = 10) -> HostAddress {
        HostAddress(bytes: [first, 0, 0, last], interface: "eth0", isOnLoopback: false)
    }

    private func ipv6(_ head: [UInt8]) -> HostAddress {
        let bytes = head + [UInt8](repeating: 0, count: 15 - head.count) + [1]
        return HostAddress(bytes: bytes, interface: "eth0", isOnLoopback: false)
    }

    private func filled() -> ServiceTable {
        var table = ServiceTable()
        _ = table.addPointer("a", at: lan)
        _ = table.setServer("a", host: "h.local", port: 7)
        table.setText("a", entries: [Array("t=1".utf8)])
        return table
    }

    @Test func `an instance is told once it has a server, a text and an address, and again only when it changed`() {
        var table = ServiceTable()
        let step1 = table.addPointer("a", at: lan)
        #expect(step1)
        let step2 = table.addPointer("a", at: lan6)
        #expect(step2 == false)
        let step3 = table.setServer("a", host: "h.local", port: 7)
        #expect(step3 == "h.local")
        let step4 = table.change(of: "a")
        #expect(step4 == nil)
        table.addAddress("a", host: "h.local", ipv4(1), at: lan)
        let step5 = table.change(of: "a")
        #expect(step5 == nil)
        table.setText("a", entries: [Array("t=1".utf8)])
        let address = DiscoveredAddress(host: "10.0.0.1", port: 7, interface: "eth0")
        let step6 = table.change(of: "a")
        #expect(
            step6
                == DiscoveredService(instance: "a", attributes: ["t": "1"], addresses: [address]))
        table.addAddress("a", host: "h.local", ipv4(1), at: lan6)
        let step7 = table.change(of: "a")
        #expect(step7 == nil)
    }

    // H-11: a flood of strangers keeps no device of the account away.
    @Test func `a table that is full of strangers has room for what is preferred, until it is full of that`() {
        var table = ServiceTable()
        for number in 0..<ServiceTable.maximumInstances {
            let isNew = table.addPointer("stranger \(number)", at: lan)
            #expect(isNew)
        }
        let isIgnored = !table.addPointer("another", at: lan)
        #expect(isIgnored && table.hasOverflowed)
        for number in 0..<ServiceTable.maximumInstances {
            let stranger = table.stranger
            #expect(stranger?.hasPrefix("stranger") == true)
            if let stranger { _ = table.remove(stranger) }
            let isNew = table.addPointer("ours \(number)", at: lan, isPreferred: true)
            #expect(isNew)
        }
        #expect(table.stranger == nil)
        let isTooMany = !table.addPointer("ours too", at: lan, isPreferred: true)
        #expect(isTooMany)
    }

    @Test func `an instance is gone when its pointer is gone on every interface and protocol`() {
        var table = filled()
        _ = table.addPointer("a", at: lan6)
        let step8 = table.removePointer("a", at: lan)
        #expect(step8 == false)
        let step9 = table.removePointer("a", at: lan6)
        #expect(step9)
        let step10 = table.removePointer("a", at: lan6)
        #expect(step10 == false)
    }

    @Test func `addresses are ordered by promise and link-local IPv6 carries its zone`() {
        var table = filled()
        table.addAddress("a", host: "h.local", ipv4(9, 169).with(second: 254), at: lan)
        table.addAddress("a", host: "h.local", ipv6([0xFE, 0x80]), at: lan)
        table.addAddress("a", host: "h.local", ipv6([0xFD, 0x00]), at: lan)
        table.addAddress("a", host: "h.local", ipv4(1), at: lan)
        let step11 = table.change(of: "a")
        #expect(
            step11?.addresses.map(\.description)
                == ["10.0.0.1:7", "[fd00::1]:7", "[fe80::1%eth0]:7", "169.254.0.9:7"])
    }

    @Test func `addresses that lead back here or nowhere are left out`() {
        var table = filled()
        let hostile: [HostAddress] = [
            ipv4(1, 127), ipv4(1, 224), ipv4(255, 255), ipv4(0, 0), ipv4(1, 0), ipv6([]), ipv6([0xFF, 0x02]),
            HostAddress(bytes: [UInt8](repeating: 0, count: 16), interface: "eth0", isOnLoopback: false),
            HostAddress(
                bytes: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 127, 0, 0, 1], interface: "eth0",
                isOnLoopback: false),
            HostAddress(bytes: [1, 2, 3], interface: "eth0", isOnLoopback: false),
        ]
        for address in hostile { table.addAddress("a", host: "h.local", address, at: lan) }
        let step12 = table.change(of: "a")
        #expect(step12 == nil)
        table.addAddress(
            "a", host: "h.local", HostAddress(bytes: [127, 0, 0, 1], interface: "lo", isOnLoopback: true), at: lan)
        let step13 = table.change(of: "a")
        #expect(step13?.addresses.map(\.host) == ["127.0.0.1"])
    }

    @Test func `instances, addresses and attributes of strangers are bounded`() {
        var table = ServiceTable()
        let added = (0..<10_000).filter { table.addPointer("i\($0)", at: lan) }
        #expect(added.count == ServiceTable.maximumInstances)
        #expect(table.hasOverflowed)
        let step15 = table.takeOverflow()
        #expect(step15 == false)
        let step16 = table.removePointer("i0", at: lan)
        #expect(step16)
        let step17 = table.takeOverflow()
        #expect(step17)

        var one = filled()
        for last in 1...200 { one.addAddress("a", host: "h.local", ipv4(UInt8(last)), at: lan) }
        one.setText("a", entries: (0..<1000).map { Array("k\($0)=\(String(repeating: "x", count: 50))".utf8) })
        let service = one.change(of: "a")
        #expect(service?.addresses.count == ServiceTable.maximumAddresses)
        #expect(service?.attributes.count == ServiceTable.maximumAttributes)
        one.setText("a", entries: [[UInt8]](repeating: [UInt8](repeating: 0x61, count: 255), count: 100))
        let step18 = one.change(of: "a")
        #expect(step18?.attributes.values.reduce(0) { $0 + $1.utf8.count } ?? 0 <= ServiceTable.maximumAttributeBytes)
    }

    @Test func `malformed names and entries are refused or left out`() {
        for name in ["", String(repeating: "x", count: 64), "a\nb", "a\u{0}b", "\u{7F}"] {
            var table = ServiceTable()
            let step19 = table.addPointer(name, at: lan)
            #expect(step19 == false)
        }
        let entries: [[UInt8]] = [
            [], Array("=v".utf8), Array("novalue".utf8), Array("K=one".utf8), Array("k=two".utf8),
            [0x62, 0x3D, 0xFF, 0xFE],
            [0x07, 0x3D, 0x61], Array("e=".utf8), Array("m=a=b".utf8),
        ]
        #expect(ServiceTable.attributes(entries) == ["novalue": "", "k": "one", "e": "", "m": "a=b"])
    }

    @Test func `another host of an instance replaces the addresses of the one before`() {
        var table = filled()
        table.addAddress("a", host: "h.local", ipv4(1), at: lan)
        _ = table.change(of: "a")
        let step20 = table.setServer("a", host: "h.local", port: 7)
        #expect(step20 == nil)
        let step21 = table.setServer("a", host: "other.local", port: 8)
        #expect(step21 == "other.local")
        table.addAddress("a", host: "h.local", ipv4(2), at: lan)
        let step22 = table.change(of: "a")
        #expect(step22 == nil)
        table.addAddress("a", host: "other.local", ipv4(3), at: lan)
        let step23 = table.change(of: "a")
        #expect(step23?.addresses.map(\.description) == ["10.0.0.3:8"])
        let step24 = table.setServer("a", host: "x.local", port: 0)
        #expect(step24 == nil)
    }

    @Test func `a reader that is slow gets the newest of each instance, and every flag`() async {
        let mailbox = DiscoveryMailbox()
        let stream = mailbox.stream()
        for port in 1...1000 {
            let address = DiscoveredAddress(host: "h", port: port, interface: "eth0")
            mailbox.post(.found(DiscoveredService(instance: "a", attributes: [:], addresses: [address])))
        }
        mailbox.post(.found(DiscoveredService(instance: "b", attributes: [:], addresses: [])))
        mailbox.post(.lost(instance: "b"))
        mailbox.post(.networkChanged)
        mailbox.post(.networkChanged)
        var told: [String] = []
        for await event in stream {
            switch event {
            case .found(let service): told.append("found \(service.instance) \(service.addresses.first?.port ?? 0)")
            case .lost(let instance): told.append("lost \(instance)")
            case .networkChanged: told.append("changed")
            case .unavailable, .nameTaken: told.append("?")
            }
            if told.count == 3 { mailbox.finish() }
        }
        #expect(told == ["changed", "found a 1000", "lost b"])
    }
}

extension HostAddress {
    fileprivate func with(second: UInt8) -> HostAddress {
        var copy = self
        copy.bytes[1] = second
        return copy
    }
}
