import BatonCore
import CAvahi
import Foundation

/// Avahi's server, and everything that is announced and looked for with it. Lives and dies on one thread.
///
/// Callbacks come from inside of Avahi: they change the tables and set timers, and never free what called them.
final class AvahiEngine {
    enum TimerKey: Hashable {
        /// Starts the server, again.
        case start
        /// The server cannot go on.
        case failure
        /// The server's memory is full of what strangers announce.
        case flood
        /// Reads the interfaces again, after changes have settled.
        case interfaces
        case collision(type: String)
        /// An instance was looked up long enough, or is to be looked up again.
        case resolution(type: String, instance: String)
    }

    let interfaces: [String]?
    let recorder: any EventRecorder

    private var simplePoll: OpaquePointer?
    private var poll: UnsafePointer<AvahiPoll>? { simplePoll.flatMap { avahi_simple_poll_get($0) } }
    private var watches: [OpaquePointer] = []
    private var monitor: NetworkMonitor?

    private(set) var server: OpaquePointer?
    private(set) var network = NetworkInterfaces()
    private var obstacle: String?
    /// Doubled with each failure; back to a second when a server has run for a minute.
    private var startDelay = Duration.seconds(1)
    private var serverStart = ContinuousClock.now
    /// Between two starts for the sake of a flood: doubled each time, and back when one has lasted.
    private var floodPause = shortestFloodPause
    private static let shortestFloodPause = Duration.seconds(1)
    private static let longestFloodPause = Duration.seconds(8)
    /// Records that the server remembers on each interface. When it is full it takes in nothing new.
    static let cacheSize = 2048
    private var timers: [TimerKey: ContinuousClock.Instant] = [:]

    /// By service type.
    var registrations: [String: Registration] = [:]
    var browsers: [String: TypeBrowser] = [:]
    /// The last names announced here: they are heard again, and are not others.
    var ownNames: [String] = []
    /// Lookups that were freed during this turn of the loop: Avahi may still be inside of one.
    var released: [Lookup] = []

    init(interfaces: [String]?, recorder: any EventRecorder) {
        self.interfaces = interfaces
        self.recorder = recorder
    }

    /// Until `drain` says that it is over.
    func run(wakeup: Int32, drain: (AvahiEngine) -> Bool) {
        _ = Self.prepareLibrary
        Thread.current.threadDictionary[Self.threadKey] = self
        defer { Thread.current.threadDictionary.removeObject(forKey: Self.threadKey) }
        simplePoll = avahi_simple_poll_new()
        monitor = NetworkMonitor()
        watch(wakeup) { $0.clear(eventDescriptor: wakeup) }
        if let monitor {
            watch(monitor.changes) { $0.networkMayHaveChanged() }
            watch(monitor.clock) { $0.clockMayHaveChanged() }
        }
        setTimer(.start, after: .zero)
        while drain(self) {
            turn()
        }
        tearDown()
    }

    /// How often the loop woke.
    private(set) var turns = 0

    private func turn() {
        turns += 1
        let wait = timers.values.min().map { ContinuousClock.now.duration(to: $0) }
        // Rounded up: rather late by a millisecond than awake twice.
        let milliseconds = wait.map { max(0, min($0 / .milliseconds(1) + 1, 3_600_000)) }
        if let simplePoll {
            if avahi_simple_poll_iterate(simplePoll, milliseconds.map { Int32($0) } ?? -1) < 0 { usleep(100_000) }
        } else {
            usleep(100_000)
        }
        fireTimers()
        released = []
    }

    private func tearDown() {
        for browser in browsers.values {
            for reader in browser.readers { reader.mailbox?.finish() }
        }
        stopServer()
        if let poll {
            for watch in watches { baton_avahi_watch_free(poll, watch) }
        }
        watches = []
        monitor?.close()
        if let simplePoll { avahi_simple_poll_free(simplePoll) }
        simplePoll = nil
        browsers = [:]
        released = []
    }

    /// Avahi draws its random delays from `rand`, which gives every process the same ones unless it is seeded; and what it
    /// has to say, with names, it would print to standard error.
    private static let prepareLibrary: Void = {
        srand(UInt32.random(in: 1...UInt32.max))
        avahi_set_log_function { _, text in
            guard let text, let engine = Thread.current.threadDictionary[AvahiEngine.threadKey] as? AvahiEngine else {
                return
            }
            engine.avahiSaid(String(cString: text))
        }
    }()
    private static let threadKey = "baton.avahi.engine"

    /// A conflict with a record that is published without probing appears in the log and nowhere else: Avahi goes on
    /// announcing, and so does the other.
    private func avahiSaid(_ text: String) {
        guard text.contains("conflicting record") else { return }
        for (type, registration) in registrations {
            guard let name = Self.fullName(registration.announcement.instance, type: type) else { continue }
            if text.contains(name) || text.contains(registration.host) {
                setTimer(.collision(type: type), after: .zero)
            }
        }
    }

    // MARK: Timers

    func setTimer(_ key: TimerKey, after delay: Duration) { timers[key] = ContinuousClock.now + delay }
    func hasTimer(_ key: TimerKey) -> Bool { timers[key] != nil }
    func clearTimer(_ key: TimerKey) { timers[key] = nil }

    private func fireTimers() {
        let now = ContinuousClock.now
        for (key, time) in timers where time <= now {
            timers[key] = nil
            switch key {
            case .start: startServer()
            case .failure: serverFailed()
            case .flood: forgetStrangers()
            case .interfaces: readInterfaces()
            case .collision(let type): nameTaken(type: type)
            case .resolution(let type, let instance): resolutionDue(instance, type: type)
            }
        }
    }

    // MARK: Descriptors

    /// The callback of a watched descriptor; kept for the life of the engine.
    private final class Watched {
        unowned let engine: AvahiEngine
        let action: (AvahiEngine) -> Void
        init(_ engine: AvahiEngine, _ action: @escaping (AvahiEngine) -> Void) {
            self.engine = engine
            self.action = action
        }
    }
    private var watched: [Watched] = []

    private func watch(_ descriptor: Int32, _ action: @escaping (AvahiEngine) -> Void) {
        guard let poll, descriptor >= 0 else { return }
        let target = Watched(self, action)
        let callback: AvahiWatchCallback = { _, _, _, userdata in
            guard let userdata else { return }
            let target = Unmanaged<Watched>.fromOpaque(userdata).takeUnretainedValue()
            target.action(target.engine)
        }
        guard let watch = baton_avahi_watch(poll, descriptor, callback, Unmanaged.passUnretained(target).toOpaque())
        else {
            return
        }
        watched.append(target)
        watches.append(watch)
    }

    private func clear(eventDescriptor: Int32) {
        var value: eventfd_t = 0
        _ = eventfd_read(eventDescriptor, &value)
    }

    // MARK: The network of this machine

    private func networkMayHaveChanged() {
        monitor?.drainChanges()
        // Changes come in bursts: one reading for all of them.
        if !hasTimer(.interfaces) { setTimer(.interfaces, after: .milliseconds(300)) }
    }

    private func clockMayHaveChanged() {
        guard monitor?.clockWasSet() == true else { return }
        // Avahi counts by the wall clock: after a jump its timers would be early or very late. A resume from sleep comes
        // this way too.
        recorder.record(
            "discovery", "clock_changed", "The clock was set or the machine woke: discovery starts again.", [:])
        stopServer()
        setTimer(.start, after: .zero)
        tellAll(.networkChanged)
    }

    private func readInterfaces() {
        let before = network
        network = NetworkInterfaces.current(allowed: interfaces)
        let obstacleBefore = obstacle
        updateObstacle()
        guard network.addresses != before.addresses else { return }
        for type in registrations.keys { publishAddresses(type: type) }
        recorder.record(
            "discovery", "network_changed", "The network interfaces or addresses of this machine changed.",
            ["interfaces": Set(network.addresses.map(\.interface)).sorted().joined(separator: ",")])
        if obstacle == nil || obstacleBefore == nil { tellAll(.networkChanged) }
        if let obstacle { tellAll(.unavailable(reason: obstacle)) }
    }

    private func updateObstacle() {
        let now = network.obstacle(allowed: interfaces) ?? MulticastProbe.obstacle(network)
        if let now, now != obstacle {
            recorder.record("discovery", "unavailable", now, [:])
            tellAll(.unavailable(reason: now))
        }
        obstacle = now
    }

    /// Why a new reader will find nothing; nil when it can.
    var currentObstacle: String? {
        obstacle ?? (server == nil && startDelay > .seconds(1) ? "The responder could not start." : nil)
    }

    func tellAll(_ event: DiscoveryEvent) {
        for browser in browsers.values { browser.tell(event) }
    }

    // MARK: The server

    private func startServer() {
        guard server == nil, let poll else { return }
        network = NetworkInterfaces.current(allowed: interfaces)
        updateObstacle()
        var configuration = AvahiServerConfig()
        avahi_server_config_init(&configuration)
        defer { avahi_server_config_free(&configuration) }
        configure(&configuration)
        var error: Int32 = 0
        let callback: AvahiServerCallback = { _, state, userdata in
            guard state == AVAHI_SERVER_FAILURE, let userdata else { return }
            Unmanaged<AvahiEngine>.fromOpaque(userdata).takeUnretainedValue().serverFailedSoon()
        }
        server = avahi_server_new(poll, &configuration, callback, Unmanaged.passUnretained(self).toOpaque(), &error)
        guard server != nil else {
            let reason = "The multicast DNS responder could not start: \(String(cString: avahi_strerror(error)))."
            recorder.record("discovery", "unavailable", reason, [:])
            tellAll(.unavailable(reason: reason))
            setTimer(.start, after: startDelay * Double.random(in: 0.5...1))
            startDelay = min(startDelay * 2, .seconds(60))
            return
        }
        serverStart = .now
        for type in registrations.keys { publish(type: type) }
        for type in browsers.keys { startBrowsing(type: type) }
    }

    private func configure(_ configuration: inout AvahiServerConfig) {
        func replace(_ field: inout UnsafeMutablePointer<CChar>?, _ text: String) {
            avahi_free(field)
            field = avahi_strdup(text)
        }
        // Never the machine's name. Nothing is published under this one either.
        replace(&configuration.host_name, Self.randomLabel())
        replace(&configuration.domain_name, "local")
        configuration.use_ipv4 = 1
        configuration.use_ipv6 = interfaces.map { Set($0).isSubset(of: network.loopbacks) } == true ? 0 : 1
        configuration.publish_hinfo = 0
        configuration.publish_addresses = 0
        configuration.publish_workstation = 0
        configuration.publish_domain = 0
        configuration.add_service_cookie = 0
        configuration.enable_wide_area = 0
        // A packet with another TTL came through a router, so not from nearby (H-11).
        configuration.check_response_ttl = 1
        configuration.n_cache_entries_max = UInt32(Self.cacheSize)
        configuration.ratelimit_interval = 1_000_000
        configuration.ratelimit_burst = 1000
        if let interfaces {
            for name in interfaces {
                configuration.allow_interfaces = avahi_string_list_add(configuration.allow_interfaces, name)
            }
        } else {
            for name in network.loopbacks {
                configuration.deny_interfaces = avahi_string_list_add(configuration.deny_interfaces, name)
            }
        }
    }

    /// More is announced than can be remembered, and the announcements of the account's devices would find no room.
    func flooded() {
        guard !hasTimer(.flood) else { return }
        let age = serverStart.duration(to: .now)
        if age > Self.longestFloodPause * 2 { floodPause = Self.shortestFloodPause }
        setTimer(.flood, after: max(.zero, floodPause - age))
    }

    /// The server cannot be made to forget; another one knows nothing, and asks anew who is there.
    private func forgetStrangers() {
        recorder.record(
            "discovery", "flooded", "Strangers announce more than can be remembered: discovery starts again.", [:])
        floodPause = min(floodPause * 2, Self.longestFloodPause)
        stopServer(keepingPreferred: true)
        startServer()
    }

    private func stopServer(keepingPreferred isKept: Bool = false) {
        for type in browsers.keys { stopBrowsing(type: type, keepingPreferred: isKept) }
        for type in registrations.keys { registrations[type]?.forgetGroups() }
        if let server { avahi_server_free(server) }
        server = nil
    }

    /// The server cannot go on. Not here: Avahi is inside of it.
    func serverFailedSoon() { setTimer(.failure, after: .zero) }

    private func serverFailed() {
        let reason = "The multicast DNS responder failed and starts again."
        recorder.record("discovery", "unavailable", reason, [:])
        tellAll(.unavailable(reason: reason))
        stopServer()
        if ContinuousClock.now - serverStart > .seconds(60) { startDelay = .seconds(1) }
        setTimer(.start, after: startDelay)
        startDelay = min(startDelay * 2, .seconds(60))
    }

    /// 80 random bits as a DNS label.
    static func randomLabel() -> String {
        Base32.encode((0..<10).map { _ in UInt8.random(in: .min ... .max) }).lowercased()
    }
}
