package import BatonCore

/// Tells which devices of the account are connected. The presence service implements it.
package protocol DeviceConnections: Sendable {
    /// Devices that are connected, and those that were since this daemon started.
    func connections() -> [DeviceID: DeviceConnection]

    /// Sends the account's present membership to every connected device, and says which took it within the time.
    func spreadMembership(within timeout: Duration) async -> [DeviceID]
}

/// What is known of a device's connection.
package struct DeviceConnection: Sendable, Equatable {
    package var isConnected: Bool
    /// `host:port` of the other end.
    package var addresses: [String]
    /// Of the other device's software; empty when unknown.
    package var softwareVersion: String
    /// Milliseconds since 1970: since when it is connected, or when it was last.
    package var since: UInt64

    package init(isConnected: Bool, addresses: [String], softwareVersion: String, since: UInt64) {
        self.isConnected = isConnected
        self.addresses = addresses
        self.softwareVersion = softwareVersion
        self.since = since
    }
}
