/// The instances of one service type on the network, put together from single records.
///
/// Everything here comes from strangers: counts and lengths are bounded, and nothing that cannot be dialled gets out.
struct ServiceTable {
    /// Further instances are ignored until one is lost, or displace those that are not preferred; ``hasOverflowed`` then
    /// asks to browse anew.
    static let maximumInstances = 256
    /// Further addresses of an instance are ignored.
    static let maximumAddresses = 16
    static let maximumAttributes = 16
    /// The size of all attributes of an instance together.
    static let maximumAttributeBytes = 1300

    /// Where a record was heard.
    struct Place: Hashable {
        var interface: UInt32
        var isIPv6: Bool
    }

    private struct Instance {
        /// Where its pointer record is known.
        var places: Set<Place> = []
        var isPreferred = false
        var host: String?
        var port: UInt16 = 0
        var attributes: [String: String]?
        /// The addresses of the current host, each with the places where it was heard; in the order of being found.
        var addresses: [(address: HostAddress, places: Set<Place>)] = []
        var told: DiscoveredService?
    }

    private var instances: [String: Instance] = [:]
    private(set) var hasOverflowed = false

    var names: [String] { Array(instances.keys) }
    var services: [DiscoveredService] { instances.values.compactMap(\.told) }
    func contains(_ name: String) -> Bool { instances[name] != nil }
    func isComplete(_ name: String) -> Bool { instances[name]?.told != nil }
    func isHeard(_ name: String) -> Bool { instances[name]?.places.isEmpty == false }
    func isPreferred(_ name: String) -> Bool { instances[name]?.isPreferred == true }
    func host(of name: String) -> String? { instances[name]?.host }

    // MARK: Records that appear

    /// One that has to go before another one has room; nil while there is room, or when all are preferred.
    var stranger: String? {
        instances.count < Self.maximumInstances ? nil : instances.first { !$0.value.isPreferred }?.key
    }

    /// - Returns: true when the instance is new and is to be resolved.
    mutating func addPointer(_ name: String, at place: Place, isPreferred: Bool = false) -> Bool {
        if instances[name] != nil {
            instances[name]?.places.insert(place)
            return false
        }
        guard Self.isValid(name: name) else { return false }
        guard instances.count < Self.maximumInstances else {
            hasOverflowed = true
            return false
        }
        instances[name] = Instance(places: [place], isPreferred: isPreferred)
        return true
    }

    /// - Returns: the host to look up when it has changed.
    mutating func setServer(_ name: String, host: String, port: UInt16) -> String? {
        guard instances[name] != nil, port != 0, !host.isEmpty, host.utf8.count <= 253 else { return nil }
        instances[name]?.port = port
        guard instances[name]?.host != host else { return nil }
        instances[name]?.host = host
        instances[name]?.addresses = []
        return host
    }

    /// - Parameter entries: the strings of a TXT record.
    mutating func setText(_ name: String, entries: some Sequence<[UInt8]>) {
        instances[name]?.attributes = Self.attributes(entries)
    }

    mutating func addAddress(_ name: String, host: String, _ address: HostAddress, at place: Place) {
        guard var instance = instances[name], instance.host == host, address.canBeDialled else { return }
        if let index = instance.addresses.firstIndex(where: { $0.address == address }) {
            instance.addresses[index].places.insert(place)
        } else {
            guard instance.addresses.count < Self.maximumAddresses else { return }
            instance.addresses.append((address, [place]))
        }
        instances[name] = instance
    }

    // MARK: Records that disappear

    /// - Returns: true when the instance is gone.
    mutating func removePointer(_ name: String, at place: Place) -> Bool {
        instances[name]?.places.remove(place)
        guard let instance = instances[name], instance.places.isEmpty else { return false }
        instances[name] = nil
        return true
    }

    mutating func removeAddress(_ name: String, host: String, _ address: HostAddress, at place: Place) {
        guard var instance = instances[name], instance.host == host,
            let index = instance.addresses.firstIndex(where: { $0.address == address })
        else { return }
        instance.addresses[index].places.remove(place)
        if instance.addresses[index].places.isEmpty { instance.addresses.remove(at: index) }
        instances[name] = instance
    }

    /// The server record expired or was withdrawn.
    mutating func removeServer(_ name: String, host: String) {
        guard instances[name]?.host == host else { return }
        instances[name]?.host = nil
        instances[name]?.addresses = []
    }

    /// The instance's location is to be looked up again.
    mutating func forgetPlaces(of name: String) { instances[name]?.places = [] }

    /// It is looked up anew; the last report stands until that is over.
    mutating func forgetRecords(of name: String) {
        instances[name]?.host = nil
        instances[name]?.attributes = nil
        instances[name]?.addresses = []
    }

    /// - Returns: true when it had been reported.
    mutating func forgetTold(_ name: String) -> Bool {
        guard instances[name]?.told != nil else { return false }
        instances[name]?.told = nil
        return true
    }

    mutating func remove(_ name: String) -> Bool { instances.removeValue(forKey: name)?.told != nil }

    /// The room that was missing may be there now.
    mutating func takeOverflow() -> Bool {
        guard hasOverflowed, instances.count < Self.maximumInstances else { return false }
        hasOverflowed = false
        return true
    }

    // MARK: Results

    /// The event to report for an instance: nil when nothing changed or it is not complete.
    mutating func change(of name: String) -> DiscoveredService? {
        guard let instance = instances[name], instance.host != nil, let attributes = instance.attributes,
            !instance.addresses.isEmpty
        else { return nil }
        let ordered = instance.addresses.map(\.address).enumerated()
            .sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
        let service = DiscoveredService(
            instance: name, attributes: attributes,
            addresses: ordered.map { $0.element.dialled(port: Int(instance.port)) })
        guard service != instance.told else { return nil }
        instances[name]?.told = service
        return service
    }

    // MARK: Parsing

    static func isValid(name: String) -> Bool {
        (1...63).contains(name.utf8.count)
            && name.unicodeScalars.allSatisfy {
                $0.value >= 0x20 && $0.value != 0x7F && !$0.properties.isNoncharacterCodePoint
            }
    }

    /// RFC 6763, section 6: the first of a key wins, keys are printable ASCII without “=”, case does not matter; strings
    /// without a key are ignored. A value that is not UTF-8 is left out.
    static func attributes(_ entries: some Sequence<[UInt8]>) -> [String: String] {
        var result: [String: String] = [:]
        var bytes = 0
        for entry in entries {
            bytes += entry.count + 1
            guard bytes <= maximumAttributeBytes, result.count < maximumAttributes else { break }
            let separator = entry.firstIndex(of: UInt8(ascii: "=")) ?? entry.endIndex
            let key = entry[..<separator]
            guard !key.isEmpty, key.allSatisfy({ (0x20...0x7E).contains($0) }),
                let value = String(validating: entry[separator...].dropFirst(), as: UTF8.self)
            else { continue }
            let name = String(decoding: key, as: UTF8.self).lowercased()
            if result[name] == nil { result[name] = value }
        }
        return result
    }
}
