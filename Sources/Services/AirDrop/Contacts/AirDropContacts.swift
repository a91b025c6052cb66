package import BatonTrust

/// Devices of other people that were verified and remembered.
package protocol AirDropContacts: Sendable {
    /// By name.
    var all: [TrustedDevice] { get }
    /// Signals at each change from the call on.
    func changes() -> AsyncStream<Void>
}
