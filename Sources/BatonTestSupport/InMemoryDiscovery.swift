import BatonCore
package import BatonDiscovery
import Synchronization

/// A network segment in memory, on which ``InMemoryDiscovery`` announces and finds.
package final class InMemoryNetwork: Sendable {
    private struct Node {
        var address: DiscoveredAddress
        var isUp = true
        var announcements: [String: Announcement] = [:]
        var readers: [(type: String, mailbox: WeakMailbox)] = []
    }

    private struct WeakMailbox: Sendable {
        weak let mailbox: DiscoveryMailbox?
        init(_ mailbox: DiscoveryMailbox) { self.mailbox = mailbox }
    }

    private let nodes = Mutex<[String: Node]>([:])

    package init() {}

    /// A new machine on this network.
    package func join(host: String) -> InMemoryDiscovery {
        nodes.withLock {
            $0[host] = Node(address: DiscoveredAddress(host: host, port: 0, interface: "mem0"))
        }
        return InMemoryDiscovery(network: self, host: host)
    }

    /// Unplugs a machine, or plugs it in: others lose or find it, and it them.
    package func setUp(_ isUp: Bool, host: String) {
        let events = nodes.withLock { nodes -> [Delivery] in
            guard nodes[host]?.isUp == !isUp else { return [] }
            let before = Self.visible(nodes)
            nodes[host]?.isUp = isUp
            var deliveries = Self.difference(before, Self.visible(nodes), nodes)
            for reader in nodes[host]?.readers ?? [] { deliveries.append((reader.mailbox, .networkChanged)) }
            return deliveries
        }
        Self.deliver(events)
    }

    /// Takes the name away from its announcer, as a conflicting responder does.
    package func claim(_ instance: String) {
        let events = nodes.withLock { nodes -> [Delivery] in
            var deliveries: [Delivery] = []
            for (host, node) in nodes {
                for (type, announcement) in node.announcements where announcement.instance == instance {
                    nodes[host]?.announcements[type] = nil
                    for reader in node.readers where reader.type == type {
                        deliveries.append((reader.mailbox, .nameTaken(instance: instance)))
                    }
                }
            }
            return deliveries
        }
        Self.deliver(events)
    }

    /// The present announcement of a machine.
    package func announcement(host: String, type: String) -> Announcement? {
        nodes.withLock { $0[host]?.announcements[type] }
    }

    fileprivate func announce(_ announcement: Announcement?, type: String, host: String) {
        let events = nodes.withLock { nodes -> [Delivery] in
            let before = Self.visible(nodes)
            nodes[host]?.announcements[type] = announcement
            return Self.difference(before, Self.visible(nodes), nodes)
        }
        Self.deliver(events)
    }

    fileprivate func browse(type: String, host: String) -> AsyncStream<DiscoveryEvent> {
        let mailbox = DiscoveryMailbox()
        let known = nodes.withLock { nodes in
            nodes[host]?.readers.removeAll { $0.mailbox.mailbox?.isFinished ?? true }
            nodes[host]?.readers.append((type, WeakMailbox(mailbox)))
            return Self.visible(nodes).filter { $0.key.reader == host && $0.key.type == type }.map(\.value)
        }
        for service in known { mailbox.post(.found(service)) }
        return mailbox.stream()
    }

    // MARK: Visibility

    private struct Sight: Hashable {
        var reader: String
        var type: String
        var instance: String
    }

    private typealias Delivery = (WeakMailbox, DiscoveryEvent)

    private static func visible(_ nodes: [String: Node]) -> [Sight: DiscoveredService] {
        var result: [Sight: DiscoveredService] = [:]
        for (host, node) in nodes where node.isUp {
            for (type, announcement) in node.announcements {
                var address = node.address
                address.port = announcement.port
                let service = DiscoveredService(
                    instance: announcement.instance, attributes: announcement.attributes, addresses: [address])
                for (reader, other) in nodes where reader != host && other.isUp {
                    result[Sight(reader: reader, type: type, instance: announcement.instance)] = service
                }
            }
        }
        return result
    }

    private static func difference(
        _ before: [Sight: DiscoveredService], _ after: [Sight: DiscoveredService], _ nodes: [String: Node]
    ) -> [Delivery] {
        var deliveries: [Delivery] = []
        func tell(_ sight: Sight, _ event: DiscoveryEvent) {
            for reader in nodes[sight.reader]?.readers ?? [] where reader.type == sight.type {
                deliveries.append((reader.mailbox, event))
            }
        }
        for (sight, _) in before where after[sight] == nil { tell(sight, .lost(instance: sight.instance)) }
        for (sight, service) in after where before[sight] != service { tell(sight, .found(service)) }
        return deliveries
    }

    private static func deliver(_ deliveries: [Delivery]) {
        for (reader, event) in deliveries { reader.mailbox?.post(event) }
    }
}

/// One machine's discovery on an ``InMemoryNetwork``.
package struct InMemoryDiscovery: Discovery {
    package let network: InMemoryNetwork
    package let host: String

    package func announce(_ announcement: Announcement?, type: String) async throws {
        network.announce(announcement, type: type, host: host)
    }

    package func browse(type: String) -> AsyncStream<DiscoveryEvent> { network.browse(type: type, host: host) }
}
