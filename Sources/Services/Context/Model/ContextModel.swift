package import BatonCore
import Foundation

/// The surroundings of the person, made of the inputs. A value without I/O and clock.
///
/// Inputs may flood and lie: ten events in a second pass of each, and the state is right afterwards.
package struct ContextModel: Sendable {
    package struct Occurrence: Sendable, Equatable {
        package let event: ContextEvent
        package let time: UInt64
    }

    /// An event for readers.
    package struct Outcome: Sendable, Equatable {
        package var events: [ContextEvent] = []
        /// Whether places have changed, so that they are to be kept.
        package var placesChanged = false
    }

    /// Events of one input that pass in a second.
    static let rate = 10
    static let maximumThings = 64
    static let maximumRecent = 20

    package private(set) var inputs: [ContextInput: (state: ContextInputState, detail: String)] = [:]
    package private(set) var recent: [Occurrence] = []
    package var stays: StayMachine

    /// The connected devices, by input; nil before the first report, which is no event.
    private var things: [ContextInput: [ConnectedThing]] = [:]
    package private(set) var isLocked: Bool?
    private var isSleeping = false
    package private(set) var surroundings = ContextSurroundings()
    private var networkName: String?
    /// The known state is reported at least once in this time, by input.
    private var windows: [ContextInput: (second: UInt64, count: Int)] = [:]
    private(set) package var dropped = 0

    package init(places: StayMachine.Memory = .init()) { stays = StayMachine(places) }

    package mutating func handle(_ observation: ContextObservation, now: UInt64, offset: Int) -> Outcome {
        var outcome = Outcome()
        switch observation {
        case .input(let input, let state, let detail):
            inputs[input] = (state, ContextText.line(detail, limit: 200))
            // A value of an input holds no longer than the input.
            if state != .followed {
                forgetState(of: input)
                if input == .network { move(.network(nil), now, offset, &outcome) }
            }
        case .connected(let input, let all): connected(input, all, now, &outcome)
        case .locked(let value):
            inputs[.session] = (.followed, value ? "The session is locked." : "The session is unlocked.")
            let old = isLocked
            isLocked = value
            surroundings.isLocked = value
            // The first word is the state that was, and no event.
            if let old, old != value { tell(.locked(value), .session, now, &outcome) }
        case .idle(let value):
            surroundings.idleSince = value ? surroundings.idleSince ?? now : nil
            if isLocked != true {
                inputs[.session] = (.followed, value ? "The session is idle." : "The session is in use.")
            }
        case .sleeping(let value):
            if isSleeping, !value { tell(.woke, .session, now, &outcome) }
            isSleeping = value
        case .metered(let value):
            surroundings.isMetered = value
            if value == true, let known = inputs[.network], known.state == .followed {
                inputs[.network] = (.followed, ContextText.line(known.detail + " It is metered.", limit: 200))
            }
        case .power(let onBattery, let lidClosed):
            surroundings.isOnBattery = onBattery
            inputs[.power] = (
                .followed,
                (onBattery ? "On battery" : "On mains") + (lidClosed ? ", the lid is closed." : ".")
            )
        case .network(let id, let name):
            networkName = ContextText.line(name)
            inputs[.network] = (.followed, "Connected to “\(networkName ?? "")”.")
            move(.network(id), now, offset, &outcome)
        case .noNetwork:
            networkName = nil
            inputs[.network] = (.followed, "Not connected, or to a network that moves with you.")
            move(.network(nil), now, offset, &outcome)
        // The service makes a position of it, where places are learned.
        case .located: break
        case .position(let latitude, let longitude):
            move(.position(Position(latitude: latitude, longitude: longitude)), now, offset, &outcome)
        case .tick: move(.tick, now, offset, &outcome)
        }
        return outcome
    }

    private mutating func forgetState(of input: ContextInput) {
        things[input] = nil
        switch input {
        case .session:
            isLocked = nil
            surroundings.isLocked = nil
            surroundings.idleSince = nil
        case .power: surroundings.isOnBattery = nil
        case .network: surroundings.isMetered = nil
        case .bluetooth, .sound, .location, .gpsd: break
        }
    }

    private mutating func connected(
        _ input: ContextInput, _ all: [ConnectedThing], _ now: UInt64, _ outcome: inout Outcome
    ) {
        let all = Array(all.prefix(Self.maximumThings))
        let names = all.map(\.name).joined(separator: ", ")
        inputs[input] = (
            .followed, all.isEmpty ? "Nothing is connected." : ContextText.line("Connected: \(names).", limit: 200)
        )
        let old = things[input]
        things[input] = all
        guard let old else { return }
        let (before, after) = (Set(old.map(\.id)), Set(all.map(\.id)))
        for thing in old where !after.contains(thing.id) { tell(Self.event(thing, false), input, now, &outcome) }
        for thing in all where !before.contains(thing.id) { tell(Self.event(thing, true), input, now, &outcome) }
    }

    private static func event(_ thing: ConnectedThing, _ connected: Bool) -> ContextEvent {
        switch thing.kind {
        case .headphones: .headphones(connected: connected, name: thing.name)
        case .car: .car(connected: connected, name: thing.name)
        case .device: .device(connected: connected, name: thing.name)
        }
    }

    private mutating func move(
        _ input: StayMachine.Input, _ now: UInt64, _ offset: Int, _ outcome: inout Outcome
    ) {
        let before = stays.memory
        for change in stays.handle(input, now: now, offset: offset) {
            switch change {
            case .arrived(let place):
                for title in stays.titles(of: place) { tell(.arrived(place: title), .location, now, &outcome) }
            case .left(let place):
                for title in stays.titles(of: place) { tell(.left(place: title), .location, now, &outcome) }
            }
        }
        outcome.placesChanged = stays.memory != before
    }

    private mutating func tell(
        _ event: ContextEvent, _ input: ContextInput, _ now: UInt64, _ outcome: inout Outcome
    ) {
        var window = windows[input] ?? (now / 1000, 0)
        if window.second != now / 1000 { window = (now / 1000, 0) }
        window.count += 1
        windows[input] = window
        guard window.count <= Self.rate else {
            dropped += 1
            return
        }
        outcome.events.append(event)
        recent.append(Occurrence(event: event, time: now))
        if recent.count > Self.maximumRecent { recent.removeFirst() }
    }

    // MARK: The person

    /// Why an event may never come, as sentences for the person; nil where it may. A device may be any, also headphones and cars.
    package func doubt(of event: ContextEvent) -> String? {
        func isFollowed(_ inputs: ContextInput...) -> Bool {
            inputs.contains { self.inputs[$0]?.state == .followed }
        }
        func isSame(_ left: String, _ right: String) -> Bool {
            left.compare(right, options: [.caseInsensitive, .diacriticInsensitive]) == .orderedSame
        }
        switch event {
        case .arrived(let place), .left(let place):
            let titles = stays.memory.places.lazy.flatMap { stays.titles(of: $0.id) }
            guard titles.contains(where: { isSame($0, place) }) else {
                return "“\(ContextText.line(place))” is not known yet: “baton places” lists the places and names them, "
                    + "“baton context” says what is followed."
            }
            guard isFollowed(.network, .location, .gpsd) else {
                return "Nothing says now where this device is; “baton context” says why."
            }
        case .headphones(_, let name), .car(_, let name), .device(_, let name):
            guard isFollowed(.bluetooth, .sound) else {
                return "Nothing says now which Bluetooth devices, headphones or cars are connected; "
                    + "“baton context” says why."
            }
            let isKnown =
                isSame(name, "headphones") || isSame(name, "car")
                || things.values.contains { $0.contains { isSame($0.name, name) } }
                || recent.contains { $0.event.device.map { isSame($0, name) } ?? false }
            if !isKnown {
                return "“\(ContextText.line(name))” has not been connected of late. Give the name that “baton context” "
                    + "shows while the Bluetooth device, headphones or car is connected."
            }
        case .locked, .woke, .appOpened, .personContacted: break
        }
        return nil
    }

    /// Where the device is and what is connected.
    package var whereabouts: ContextWhereabouts {
        let place = stays.current.flatMap { id in stays.memory.places.first { $0.id == id } }
        return ContextWhereabouts(
            places: Set(place.map { stays.titles(of: $0.id).map { $0.lowercased() } } ?? []), position: place?.position,
            hasHeadphones: things.values.contains { $0.contains { $0.kind == .headphones } })
    }

    /// Whether a person sits before it: unless the session says that it is locked or idle.
    package var isInUse: Bool { isLocked != true && surroundings.idleSince == nil && !isSleeping }

    package mutating func forgetEvents(since time: UInt64) { recent.removeAll { $0.time >= time } }
}

extension ContextEvent {
    /// The name of the device that was connected, or is gone.
    fileprivate var device: String? {
        switch self {
        case .headphones(_, let name), .car(_, let name), .device(_, let name): name
        default: nil
        }
    }
}
