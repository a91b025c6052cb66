import BatonConcurrency
import BatonCore
import BatonDiscovery
import BatonTrust
import BatonWire
import Crypto
import Foundation
import Logging
import Synchronization
import Testing

@testable import Devices

/// A directory of its own for one device, removed with the value.
final class TemporaryHome: Sendable {
    let path: String
    let locations: Locations

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/bd-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        locations = try Locations(home: path, environment: [:], workingDirectory: "/")
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var accountFile: String { locations.keys + "/account" }

    func open(
        _ environment: AccountEnvironment = .system, _ recorder: any EventRecorder = NullEventRecorder()
    ) async throws -> AccountService {
        try await AccountService.open(locations: locations, environment: environment, recorder: recorder)
    }
}

/// A device with a home and an account service.
struct VirtualDevice: Sendable {
    let home: TemporaryHome
    let account: AccountService

    init(_ environment: AccountEnvironment = .system) async throws {
        home = try TemporaryHome()
        account = try await home.open(environment)
    }

    init(home: TemporaryHome, account: AccountService) {
        self.home = home
        self.account = account
    }

    var id: DeviceID { get throws { try #require(account.snapshot()?.deviceID) } }

    /// Lets another device in, as pairing does in the end.
    func admit(_ other: VirtualDevice, name: String = "Second") async throws {
        let key = P256.Signing.PrivateKey()
        let profile = try DeviceProfiles.make(
            name: name, timestamp: HybridTimestamp(milliseconds: WallClock.system.milliseconds, counter: 0), key: key)
        let response = try await account.admit(key.publicKey, profile: profile)
        _ = try await other.account.join(response, deviceKey: key, deviceName: name)
    }

    /// The exchange of two connected devices.
    func exchange(with other: VirtualDevice) async throws {
        try await other.account.merge(account.membershipMessage(), from: try id)
        try await account.merge(other.account.membershipMessage(), from: try other.id)
    }
}

/// Keeps what was recorded.
final class MemoryRecorder: EventRecorder {
    private let records = Mutex<[String]>([])
    func record(_ category: String, _ event: String, _ message: String, _ fields: [String: String]) {
        records.withLock { $0.append(event) }
    }
    var events: [String] { records.withLock { $0 } }
}

/// Time that stands still until a test lets a wait of a certain length end.
final class ManualSleep: Sendable {
    private struct Sleeper {
        var id: Int
        var duration: Duration
        var promise: Promise<Void>
    }
    private struct State {
        var next = 0
        var sleepers: [Sleeper] = []
        var arrivals: [(Duration, Promise<Void>)] = []
    }
    private let state = Mutex(State())
    /// Waits that end at once.
    private let instant: Set<Duration>

    init(instant: Set<Duration> = [JoinerPairing.settleTime]) { self.instant = instant }

    func sleep(_ duration: Duration) async throws {
        guard !instant.contains(duration) else { return try Task.checkCancellation() }
        let promise = Promise<Void>()
        let (id, arrived) = state.withLock { state in
            state.next += 1
            state.sleepers.append(Sleeper(id: state.next, duration: duration, promise: promise))
            let arrived = state.arrivals.filter { $0.0 == duration }
            state.arrivals.removeAll { $0.0 == duration }
            return (state.next, arrived)
        }
        for (_, waiter) in arrived { waiter.settle(.success(())) }
        defer { state.withLock { $0.sleepers.removeAll { $0.id == id } } }
        try await promise.value()
    }

    /// Waits until a task sleeps that long.
    func arrival(_ duration: Duration) async throws {
        let arrival = Promise<Void>()
        state.withLock { state in
            if state.sleepers.contains(where: { $0.duration == duration }) {
                arrival.settle(.success(()))
            } else {
                state.arrivals.append((duration, arrival))
            }
        }
        try await arrival.value()
    }

    /// Waits until a task sleeps that long, then wakes all that do.
    func fire(_ duration: Duration) async throws {
        try await arrival(duration)
        let sleepers = state.withLock { $0.sleepers.filter { $0.duration == duration } }
        for sleeper in sleepers { sleeper.promise.settle(.success(())) }
    }
}

/// A network segment on which announcements are heard by everybody.
final class PairingNetwork: Discovery {
    private struct State {
        var announced: [String: Announcement] = [:]
        var browsers: [Int: AsyncStream<DiscoveryEvent>.Continuation] = [:]
        var next = 0
    }
    private let state = Mutex(State())

    var announced: Announcement? { state.withLock { $0.announced[PairingPorts.serviceType] } }

    var browserCount: Int { state.withLock { $0.browsers.count } }

    func announce(_ announcement: Announcement?, type: String) async throws {
        state.withLock { state in
            let old = state.announced[type]
            state.announced[type] = announcement
            for browser in state.browsers.values {
                if let old { browser.yield(.lost(instance: old.instance)) }
                if let announcement { browser.yield(.found(Self.service(announcement))) }
            }
        }
    }

    /// Another device's announcement.
    func hear(_ event: DiscoveryEvent) {
        state.withLock { state in
            for browser in state.browsers.values { browser.yield(event) }
        }
    }

    func browse(type: String) -> AsyncStream<DiscoveryEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: DiscoveryEvent.self)
        state.withLock { state in
            state.next += 1
            state.browsers[state.next] = continuation
            if let announced = state.announced[type] { continuation.yield(.found(Self.service(announced))) }
        }
        return stream
    }

    func refresh(instance: String, type: String) {}

    static func service(_ announcement: Announcement) -> DiscoveredService {
        DiscoveredService(
            instance: announcement.instance, attributes: announcement.attributes,
            addresses: [DiscoveredAddress(host: "127.0.0.1", port: announcement.port, interface: "lo")])
    }
}

/// The events of one `pair` call, one after the other.
final class PairingRun: Sendable {
    let service: PairingService
    private let events: AsyncStream<PairingEvent>
    private let queue: AsyncStream<PairingEvent>.Continuation

    init(_ service: PairingService) {
        self.service = service
        (events, queue) = AsyncStream.makeStream()
    }

    func pair(_ options: PairingService.Options = .init(deviceName: "Joiner")) async throws {
        defer { queue.finish() }
        try await service.pair(options) { [queue] in queue.yield($0) }
    }

    /// Nil when the pairing ended.
    func next() async -> PairingEvent? {
        var iterator = events.makeAsyncIterator()
        return await iterator.next()
    }

    /// The next code that is shown.
    func code() async throws -> String {
        while let event = await next() {
            if case .code(let code) = event { return code }
        }
        throw BatonError(.internal, reason: "ended", "The pairing ended before a code was shown.")
    }

    func waiting() async throws -> (label: String, addresses: [String]) {
        while let event = await next() {
            if case .waiting(let label, let addresses) = event { return (label, addresses) }
        }
        throw BatonError(.internal, reason: "ended", "The pairing ended.")
    }
}

func pairing(
    _ device: VirtualDevice, _ network: any Discovery, _ sleep: ManualSleep,
    _ recorder: any EventRecorder = NullEventRecorder()
) -> PairingRun {
    let ports = PairingPorts(
        listener: StrangerPairingListener(interfaces: ["lo"], logger: Logger(label: "test")),
        dialer: HTTPPairingDialer(), discovery: network, sleep: { try await sleep.sleep($0) })
    return PairingRun(PairingService(account: device.account, ports: ports, recorder: recorder))
}

/// The reason of the error that an operation ends with.
func reason(_ operation: () async throws -> Void) async -> String {
    do {
        try await operation()
        return "none"
    } catch {
        return (error as? BatonError)?.reason ?? String(describing: type(of: error))
    }
}
