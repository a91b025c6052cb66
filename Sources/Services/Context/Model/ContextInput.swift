/// A source of what is known about the surroundings. Each is optional.
package enum ContextInput: String, Sendable, Hashable, CaseIterable {
    case bluetooth
    case session
    case power
    case network
    case sound
    case location
    case gpsd

    /// The result that follows it, for people.
    package var service: String {
        switch self {
        case .bluetooth: "BlueZ"
        case .session: "logind"
        case .power: "UPower"
        case .network: "NetworkManager"
        case .sound: "PulseAudio or PipeWire"
        case .location: "GeoClue"
        case .gpsd: "gpsd"
        }
    }
}

/// Whether an input is followed.
package enum ContextInputState: Sendable, Hashable {
    case followed
    /// There is no such service, bus or program.
    case absent
    /// The person has not allowed it.
    case off
    case failed
}

/// Something that is connected to this device.
package struct ConnectedThing: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case headphones
        case car
        case device
    }

    package let kind: Kind
    /// Names it for as long as it is connected.
    package let id: String
    /// For people: one line, 100 characters at most.
    package let name: String

    package init(kind: Kind, id: String, name: String) {
        self.kind = kind
        self.id = String(id.prefix(256))
        self.name = ContextText.line(name)
    }
}

enum ContextText {
    /// Printable characters on one line. Names come from devices that anybody may have named.
    static func line(_ text: String, limit: Int = 100) -> String {
        let shown = text.unicodeScalars.lazy.prefix(1000).filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
            default: true
            }
        }
        var line = ""
        line.unicodeScalars.append(contentsOf: shown.prefix(limit))
        return line
    }
}

/// The value of an input.
package enum ContextObservation: Sendable, Equatable {
    case input(ContextInput, ContextInputState, detail: String)
    /// All that is connected by Bluetooth, or through the sound system.
    case connected(ContextInput, [ConnectedThing])
    case locked(Bool)
    case idle(Bool)
    /// The machine goes to sleep, or is awake again.
    case sleeping(Bool)
    case power(onBattery: Bool, lidClosed: Bool)
    /// The network that stands for a place; nil for none.
    case network(id: String, name: String)
    case noNetwork
    /// Whether each byte over the network costs; nil where that is not known.
    case metered(Bool?)
    case position(latitude: Double, longitude: Double)
    /// As GeoClue says; apps hear of it.
    case located(DevicePosition)
    case tick
}
