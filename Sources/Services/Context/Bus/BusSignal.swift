import SessionBus

/// A signal. The bus vouches for its sender.
struct BusSignal: Sendable {
    var sender: String
    var path: String
    var interface: String
    var member: String
    var arguments: [BusValue]
}
