package import BatonCore

/// A device that can be sent to.
package struct NearbyPeer: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// One of the account's devices.
        case device(DeviceID)
        /// A receiver that everyone may see, by the name of its announcement.
        case announced(String)
    }

    package var kind: Kind
    package var name: String
    package var model = ""

    package var id: String {
        switch kind {
        case .device(let device): device.rawValue
        case .announced(let instance): instance
        }
    }
}
