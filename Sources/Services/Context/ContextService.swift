import BatonConcurrency
package import BatonCore
import BatonStore
package import Foundation
import ServiceLifecycle
import SessionBus
import Synchronization

/// Follows what happens around the person: headphones, cars, the lock, sleep, networks and places (P-61).
///
/// Each input is optional. Places are kept on this device only, in a file that others cannot read. Safe to use from any task.
package final class ContextService: Service {
    /// Events that one follower may not have read yet. Policy: the oldest are dropped.
    static let maximumUnread = 64

    private let model: Mutex<ContextModel>
    private let broadcast = Broadcaster<ContextEvent>(.latest(maximumUnread))
    private let use = Broadcaster<Bool>(.newest)
    private let surroundingsBroadcast = Broadcaster<ContextSurroundings>(.newest)
    private let file: PlacesFile
    let clock: WallClock
    private let zone: @Sendable () -> TimeZone
    private let recorder: any EventRecorder
    /// Where observations come in, in their order. Policy: the oldest of more than 256 are dropped.
    private let observations: AsyncStream<ContextObservation>
    private let give: AsyncStream<ContextObservation>.Continuation
    let bus: ContextBus
    let positioning = Mutex(Positioning())
    /// Policy: a follower that does not read keeps the newest.
    let newPositions = Broadcaster<DevicePosition>(.latest(1))
    private let sound: SoundFollower
    private let gps: GPSFollower

    /// - Parameters:
    ///   - environment: says where the system's bus is, and which sound server.
    ///   - folder: of the file of places.
    package init(
        environment: [String: String], folder: String, recorder: any EventRecorder, clock: WallClock = .system,
        zone: @escaping @Sendable () -> TimeZone = { .autoupdatingCurrent }
    ) {
        file = PlacesFile(path: folder + "/places.json", recorder: recorder)
        model = Mutex(ContextModel(places: file.read()))
        self.clock = clock
        self.zone = zone
        self.recorder = recorder
        let (stream, continuation) = AsyncStream.makeStream(
            of: ContextObservation.self, bufferingPolicy: .bufferingNewest(256))
        (observations, give) = (stream, continuation)
        bus = ContextBus(address: BusAddress.system(in: environment)) { continuation.yield($0) }
        sound = SoundFollower(environment: environment) { continuation.yield($0) }
        gps = GPSFollower { continuation.yield($0) }
    }

    /// Events from now on.
    package func events() -> AsyncStream<ContextEvent> { broadcast.subscribe() }

    /// The setting `places.location`.
    package func allowLocation(_ allowed: Bool) { setLocating(allowed) }

    /// The setting `places.gpsd`.
    package func allowGPS(_ allowed: Bool) { gps.allow(allowed) }

    package func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await self.bus.run() }
            group.addTask { try? await self.sound.run() }
            group.addTask { try? await self.gps.run() }
            group.addTask {
                await cancelWhenGracefulShutdown { await self.tick() }
            }
            group.addTask {
                await cancelWhenGracefulShutdown {
                    for await observation in self.observations { await self.observe(observation) }
                }
            }
        }
        try? await write()
        broadcast.finish()
        newPositions.finish()
        use.finish()
        surroundingsBroadcast.finish()
    }

    /// Once in half a minute while somewhere is something to find out.
    private func tick() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(30))
            let now = clock.milliseconds
            if model.withLock({ $0.stays.nextDeadline(now: now) }) != nil { give.yield(.tick) }
        }
    }

    private func observe(_ observation: ContextObservation) async {
        let now = clock.milliseconds
        var observation = observation
        if case .located(let position) = observation {
            // Places are learned only where the person wants that; apps hear all the same.
            guard located(position, at: now) else { return }
            observation = .position(latitude: position.latitude, longitude: position.longitude)
        }
        let observed = observation
        let before = model.withLock { ($0.isInUse, $0.surroundings) }
        let (outcome, isInUse, surroundings) = model.withLock { model in
            (model.handle(observed, now: now, offset: offset(at: now)), model.isInUse, model.surroundings)
        }
        if isInUse != before.0 { use.send(isInUse) }
        if surroundings != before.1 { surroundingsBroadcast.send(surroundings) }
        for event in outcome.events {
            recorder.record("context", "happened", "Something happened around the person.", ["event": Self.kind(event)])
            broadcast.send(event)
        }
        if outcome.placesChanged { await file.writeSoon({ [self] in memory }, now: now) }
    }

    private var memory: StayMachine.Memory { model.withLock { $0.stays.memory } }

    private func write() async throws { try await file.write { [self] in memory } }

    private func offset(at time: UInt64) -> Int {
        zone().secondsFromGMT(for: Date(timeIntervalSince1970: Double(time) / 1000))
    }

    /// Without the names that others gave.
    private static func kind(_ event: ContextEvent) -> String {
        switch event {
        case .headphones(let connected, _): connected ? "headphones connected" : "headphones gone"
        case .car(let connected, _): connected ? "car connected" : "car gone"
        case .device(let connected, _): connected ? "device connected" : "device gone"
        case .arrived: "arrived"
        case .left: "left"
        case .locked(let locked): locked ? "locked" : "unlocked"
        case .woke: "woke"
        case .appOpened: "app opened"
        case .personContacted: "person contacted"
        }
    }

    // MARK: People

    /// Every input with its state, the place where the device is, and the last events.
    package func report() -> ContextReport {
        model.withLock { model in
            let place = model.stays.current.flatMap { current in
                model.stays.memory.places.first { $0.id == current }.map { place in
                    model.stays.titles(of: current).last ?? "place \(place.id)"
                }
            }
            return ContextReport(
                inputs: ContextInput.allCases.map { input in
                    let known = model.inputs[input]
                    return (input, known?.state ?? .absent, known?.detail ?? "Nothing is known of it yet.")
                },
                place: place, recent: model.recent.reversed())
        }
    }

    /// The present state of power, network and session.
    package var surroundings: ContextSurroundings { model.withLock { $0.surroundings } }

    /// An element after each change of ``surroundings``; changes without a reader are one.
    package func surroundingsChanges() -> AsyncStream<ContextSurroundings> { surroundingsBroadcast.subscribe() }

    /// Why an event may never come, as sentences for the person; nil where it may.
    package func doubt(of event: ContextEvent) -> String? { model.withLock { $0.doubt(of: event) } }

    /// Where the device is and what is connected now.
    package var whereabouts: ContextWhereabouts { model.withLock { $0.whereabouts } }

    /// Whether the device is in use: unless its session is locked or idle, or it sleeps.
    package var isInUse: Bool { model.withLock(\.isInUse) }

    /// An element after each change of ``isInUse``; changes without a reader are one.
    package func useChanges() -> AsyncStream<Bool> { use.subscribe() }

    package struct Place: Sendable {
        package let place: StayPlace
        /// `home` or `work`.
        package let learned: String?
        package let isHere: Bool
    }

    package func places() -> [Place] {
        model.withLock { model in
            model.stays.memory.places.map { place in
                Place(
                    place: place,
                    learned: place.id == model.stays.home ? "home" : place.id == model.stays.work ? "work" : nil,
                    isHere: place.id == model.stays.current)
            }
        }
    }

    /// - Throws: `not_found`, `invalid_argument` for a name that is too long.
    package func name(_ place: UInt64, _ name: String) async throws {
        let shown = ContextText.line(name, limit: 64)
        guard name.utf8.count <= 64, shown == name else {
            throw BatonError(
                .invalidArgument, reason: "invalid_place_name",
                "The name of a place has 64 bytes at most, on one line. Give a shorter one.")
        }
        try model.withLock { model throws(BatonError) in
            guard model.stays.name(place, shown) else { throw Self.unknown }
        }
        try await write()
    }

    package enum Forgotten: Sendable {
        case place(UInt64)
        case named(String)
        case since(UInt64)
        case all
    }

    /// It is gone from the disk when this returns.
    /// - Returns: how many places have gone.
    /// - Throws: `not_found` for a place by its number, and what the disk does.
    @discardableResult
    package func forget(_ what: Forgotten) async throws -> Int {
        let count = try model.withLock { model throws(BatonError) -> Int in
            var count = 0
            switch what {
            case .place(let place):
                guard model.stays.forget(place) else { throw Self.unknown }
                count = 1
            case .named(let name):
                // Most places have no name, and are not meant.
                guard !name.isEmpty else {
                    throw BatonError(.invalidArgument, reason: "no_place", "Name the place that is to be forgotten.")
                }
                let named = model.stays.memory.places.filter { $0.name.lowercased() == name.lowercased() }
                for place in named where model.stays.forget(place.id) { count += 1 }
            case .since(let time):
                count = model.stays.forget(since: time, offset: offset(at: time))
                model.forgetEvents(since: time)
            case .all:
                count = model.stays.forgetAll()
                model.forgetEvents(since: 0)
            }
            return count
        }
        try await write()
        return count
    }

    private static let unknown = BatonError(
        .notFound, reason: "unknown_stay_place", "There is no place of that number. “baton places” lists them.")
}

/// The lines of `baton context`.
package struct ContextReport: Sendable {
    package let inputs: [(input: ContextInput, state: ContextInputState, detail: String)]
    package let place: String?
    /// The newest first.
    package let recent: [ContextModel.Occurrence]
}
