import BatonCore
import CAvahi
import Glibc

/// One question to the network, that stays open until it is released.
final class Lookup {
    enum Kind: Equatable {
        case pointers
        case server(instance: String)
        case text(instance: String)
        case addresses(instance: String, host: String)
    }

    unowned let engine: AvahiEngine
    let type: String
    let kind: Kind
    fileprivate var browser: OpaquePointer?

    init(_ engine: AvahiEngine, type: String, kind: Kind) {
        self.engine = engine
        self.type = type
        self.kind = kind
    }
}

/// Everything about one service type that is being browsed.
final class TypeBrowser {
    var table = ServiceTable()
    var pointers: Lookup?
    /// The open questions about an instance.
    var resolutions: [String: [Lookup]] = [:]
    /// How often in a row an instance could not be resolved.
    var failures: [String: Int] = [:]
    /// When an instance was last asked for because of `refresh`.
    var refreshed: [String: ContinuousClock.Instant] = [:]
    var readers: [AvahiEngine.Reader] = []
    /// How many pointers to strangers' instances the responder keeps.
    var strangers = 0
    /// The last reader's.
    var isPreferred: @Sendable (String) -> Bool = { _ in false }

    func tell(_ event: DiscoveryEvent) {
        for reader in readers { reader.mailbox?.post(event) }
    }
}

extension AvahiEngine {
    /// A reader of `browse`, which it does not keep alive.
    struct Reader: Sendable {
        weak let mailbox: DiscoveryMailbox?
        init(_ mailbox: DiscoveryMailbox) { self.mailbox = mailbox }
    }

    /// How long the questions about an instance stay open: after the last address, and altogether when nothing answers.
    private static let settlingTime = Duration.seconds(3)
    private static let resolutionTime = Duration.seconds(10)
    /// A refresh is not asked for more often than this.
    private static let refreshInterval = Duration.seconds(20)

    /// Pointers to strangers' instances: half of what the responder remembers.
    private static let maximumStrangers = cacheSize / 2

    func browse(type: String, preferring isPreferred: @escaping @Sendable (String) -> Bool, reader: Reader) {
        guard let mailbox = reader.mailbox else { return }
        let browser = browsers[type] ?? TypeBrowser()
        browser.readers.append(reader)
        browser.isPreferred = isPreferred
        if browsers[type] == nil {
            browsers[type] = browser
            startBrowsing(type: type)
        }
        if let reason = currentObstacle { mailbox.post(.unavailable(reason: reason)) }
        for service in browser.table.services { mailbox.post(.found(service)) }
    }

    func forgetReaders() {
        for (type, browser) in browsers {
            browser.readers.removeAll { $0.mailbox?.isFinished ?? true }
            if browser.readers.isEmpty {
                stopBrowsing(type: type)
                browsers[type] = nil
            }
        }
    }

    func startBrowsing(type: String) {
        guard let browser = browsers[type], browser.pointers == nil else { return }
        browser.pointers = open(.pointers, name: type + ".local", record: AVAHI_DNS_TYPE_PTR, type: type)
    }

    /// The findings are lost with the server that found them.
    /// - Parameter isKept: of an instance that was reported and is preferred: whether it stays for all that.
    func stopBrowsing(type: String, keepingPreferred isKept: Bool = false) {
        guard let browser = browsers[type] else { return }
        if let lookup = browser.pointers { release(lookup) }
        browser.pointers = nil
        browser.strangers = 0
        for instance in browser.table.names {
            guard isKept, browser.table.isPreferred(instance), browser.table.isComplete(instance) else {
                drop(instance, type: type)
                continue
            }
            browser.resolutions.removeValue(forKey: instance)?.forEach(release)
            clearTimer(.resolution(type: type, instance: instance))
            browser.table.forgetPlaces(of: instance)
        }
    }

    func refresh(instance: String, type: String) {
        guard let browser = browsers[type], browser.table.contains(instance), browser.resolutions[instance] == nil
        else {
            return
        }
        let now = ContinuousClock.now
        if let last = browser.refreshed[instance], now - last < Self.refreshInterval { return }
        browser.refreshed[instance] = now
        browser.table.forgetRecords(of: instance)
        resolve(instance, type: type)
    }

    // MARK: Resolving

    private func resolve(_ instance: String, type: String) {
        guard let browser = browsers[type], let name = Self.fullName(instance, type: type) else { return }
        browser.resolutions[instance] = [
            open(.server(instance: instance), name: name, record: AVAHI_DNS_TYPE_SRV, type: type),
            open(.text(instance: instance), name: name, record: AVAHI_DNS_TYPE_TXT, type: type),
        ].compactMap(\.self)
        setTimer(.resolution(type: type, instance: instance), after: Self.resolutionTime)
    }

    /// The time of an instance's questions is over, or that of waiting before they are asked again.
    func resolutionDue(_ instance: String, type: String) {
        guard let browser = browsers[type], browser.table.contains(instance) else { return }
        guard let lookups = browser.resolutions.removeValue(forKey: instance) else {
            resolve(instance, type: type)
            return
        }
        lookups.forEach(release)
        guard browser.table.host(of: instance) == nil || !browser.table.isComplete(instance) else {
            browser.failures[instance] = nil
            return
        }
        // A pointer without a server: its device is gone without a goodbye, or packets are lost.
        if browser.table.forgetTold(instance) { browser.tell(.lost(instance: instance)) }
        guard browser.table.isHeard(instance) else { return drop(instance, type: type) }
        let failures = browser.failures[instance, default: 0]
        browser.failures[instance] = failures + 1
        setTimer(.resolution(type: type, instance: instance), after: .seconds(min(30 << min(failures, 5), 900)))
    }

    private func drop(_ instance: String, type: String) {
        guard let browser = browsers[type] else { return }
        browser.resolutions.removeValue(forKey: instance)?.forEach(release)
        browser.failures[instance] = nil
        browser.refreshed[instance] = nil
        clearTimer(.resolution(type: type, instance: instance))
        _ = browser.table.remove(instance)
        browser.tell(.lost(instance: instance))
    }

    // MARK: Records

    fileprivate func handle(
        _ lookup: Lookup, _ event: AvahiBrowserEvent, _ record: UnsafeMutablePointer<AvahiRecord>?,
        at place: ServiceTable.Place, isLocal: Bool
    ) {
        if event == AVAHI_BROWSER_FAILURE {
            serverFailedSoon()
            return
        }
        guard let record, event == AVAHI_BROWSER_NEW || event == AVAHI_BROWSER_REMOVE,
            let browser = browsers[lookup.type]
        else { return }
        let isNew = event == AVAHI_BROWSER_NEW
        switch lookup.kind {
        case .pointers: pointer(record, isNew: isNew, at: place, isLocal: isLocal, lookup.type)
        case .server(let instance): server(record, isNew: isNew, of: instance, lookup.type, browser)
        case .text(let instance): if isNew { text(record, of: instance, browser) }
        case .addresses(let instance, let host):
            address(record, isNew: isNew, of: instance, host: host, at: place, browser)
        }
        if case .server(let instance) = lookup.kind { tellChange(of: instance, lookup.type, browser) }
        if case .text(let instance) = lookup.kind { tellChange(of: instance, lookup.type, browser) }
        if case .addresses(let instance, _) = lookup.kind { tellChange(of: instance, lookup.type, browser) }
    }

    private func pointer(
        _ record: UnsafeMutablePointer<AvahiRecord>, isNew: Bool, at place: ServiceTable.Place, isLocal: Bool,
        _ type: String
    ) {
        guard let browser = browsers[type], !isLocal, let target = baton_avahi_pointer_name(record),
            let instance = Self.instance(ofFullName: target, type: type), !ownNames.contains(instance)
        else { return }
        let isPreferred = browser.isPreferred(instance)
        if !isPreferred {
            browser.strangers += isNew ? 1 : -1
            if browser.strangers > Self.maximumStrangers { flooded() }
        }
        if isNew {
            let known = browser.table.hasOverflowed
            if isPreferred, !browser.table.contains(instance), let stranger = browser.table.stranger {
                drop(stranger, type: type)
            }
            if browser.table.addPointer(instance, at: place, isPreferred: isPreferred) { resolve(instance, type: type) }
            if browser.table.hasOverflowed, !known {
                recorder.record(
                    "discovery", "too_many_instances",
                    "More than \(ServiceTable.maximumInstances) instances are announced; the rest is ignored.", [:])
            }
        } else if browser.table.removePointer(instance, at: place) {
            drop(instance, type: type)
            browseAnewAfterOverflow(browser, type)
        }
    }

    private func browseAnewAfterOverflow(_ browser: TypeBrowser, _ type: String) {
        guard browser.table.takeOverflow(), let lookup = browser.pointers else { return }
        release(lookup)
        browser.pointers = nil
        startBrowsing(type: type)
    }

    private func server(
        _ record: UnsafeMutablePointer<AvahiRecord>, isNew: Bool, of instance: String, _ type: String,
        _ browser: TypeBrowser
    ) {
        guard let name = baton_avahi_server_host(record) else { return }
        let host = String(cString: name)
        guard isNew else {
            browser.table.removeServer(instance, host: host)
            return
        }
        guard let host = browser.table.setServer(instance, host: host, port: baton_avahi_server_port(record)) else {
            return
        }
        // Only one host is looked up per instance, however often a hostile server record changes.
        let (old, kept) = (browser.resolutions[instance] ?? []).partitioned {
            if case .addresses = $0.kind { true } else { false }
        }
        old.forEach(release)
        let kind = Lookup.Kind.addresses(instance: instance, host: host)
        browser.resolutions[instance] =
            kept
            + [
                open(kind, name: host, record: AVAHI_DNS_TYPE_A, type: type),
                open(kind, name: host, record: AVAHI_DNS_TYPE_AAAA, type: type),
            ].compactMap(\.self)
    }

    private func text(_ record: UnsafeMutablePointer<AvahiRecord>, of instance: String, _ browser: TypeBrowser) {
        var entries: [[UInt8]] = []
        var next = baton_avahi_text(record)
        while let entry = next, entries.count < 2 * ServiceTable.maximumAttributes {
            let bytes = UnsafeBufferPointer(
                start: avahi_string_list_get_text(entry), count: avahi_string_list_get_size(entry))
            entries.append(Array(bytes))
            next = avahi_string_list_get_next(entry)
        }
        browser.table.setText(instance, entries: entries)
    }

    private func address(
        _ record: UnsafeMutablePointer<AvahiRecord>, isNew: Bool, of instance: String, host: String,
        at place: ServiceTable.Place, _ browser: TypeBrowser
    ) {
        var value = baton_avahi_record_address(record)
        let count = value.proto == AvahiProtocol(AVAHI_PROTO_INET) ? 4 : 16
        let bytes = withUnsafeBytes(of: &value.data) { Array($0.prefix(count)) }
        guard let interface = Self.name(ofInterface: place.interface) else { return }
        let address = HostAddress(
            bytes: bytes, interface: interface, isOnLoopback: network.loopbacks.contains(interface))
        if isNew {
            browser.table.addAddress(instance, host: host, address, at: place)
        } else {
            browser.table.removeAddress(instance, host: host, address, at: place)
        }
    }

    private func tellChange(of instance: String, _ type: String, _ browser: TypeBrowser) {
        guard let service = browser.table.change(of: instance) else { return }
        browser.tell(.found(service))
        // Further addresses come with the next packets. After that nothing is asked until it is needed: asking on
        // would wake every device on the network each minute or two.
        if browser.resolutions[instance] != nil {
            setTimer(.resolution(type: type, instance: instance), after: Self.settlingTime)
        }
    }

    // MARK: Questions

    private func open(_ kind: Lookup.Kind, name: String, record: Int, type: String) -> Lookup? {
        guard let server else { return nil }
        let lookup = Lookup(self, type: type, kind: kind)
        let callback: AvahiSRecordBrowserCallback = { _, interface, family, event, record, flags, userdata in
            guard let userdata else { return }
            let lookup = Unmanaged<Lookup>.fromOpaque(userdata).takeUnretainedValue()
            // A released question may still be answered until the end of the turn.
            guard lookup.browser != nil || event != AVAHI_BROWSER_FAILURE else { return }
            let place = ServiceTable.Place(
                interface: UInt32(bitPattern: interface), isIPv6: family == AvahiProtocol(AVAHI_PROTO_INET6))
            lookup.engine.handle(
                lookup, event, record, at: place, isLocal: flags.rawValue & AVAHI_LOOKUP_RESULT_LOCAL.rawValue != 0)
        }
        lookup.browser = baton_avahi_browse(
            server, name, UInt16(record), callback, Unmanaged.passUnretained(lookup).toOpaque())
        return lookup.browser == nil ? nil : lookup
    }

    private func release(_ lookup: Lookup) {
        guard let browser = lookup.browser else { return }
        lookup.browser = nil
        avahi_s_record_browser_free(browser)
        released.append(lookup)
    }

    // MARK: Names

    static func instance(ofFullName name: UnsafePointer<CChar>, type: String) -> String? {
        var label = [CChar](repeating: 0, count: Int(AVAHI_LABEL_MAX))
        var foundType = [CChar](repeating: 0, count: Int(AVAHI_DOMAIN_NAME_MAX))
        var domain = [CChar](repeating: 0, count: Int(AVAHI_DOMAIN_NAME_MAX))
        let result = avahi_service_name_split(
            name, &label, label.count, &foundType, foundType.count, &domain, domain.count)
        guard result == 0, avahi_domain_equal(foundType, type) != 0 else { return nil }
        return String(validating: label.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func name(ofInterface index: UInt32) -> String? {
        var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard if_indextoname(index, &name) != nil else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension Array {
    fileprivate func partitioned(by isFirst: (Element) -> Bool) -> (first: [Element], second: [Element]) {
        (filter(isFirst), filter { !isFirst($0) })
    }
}
