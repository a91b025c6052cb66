package import BatonCore

/// A device that can be sent to.
package struct NearbyPeer: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// One of the account's devices.
        case device(DeviceID)
        /// A device of another person that has proved itself.
        case contact(DeviceID)
        /// A receiver that everyone may see, by the name of its announcement.
        case announced(String)
    }

    package var kind: Kind
    package var name: String
    package var model = ""

    var isContact: Bool { if case .contact = kind { true } else { false } }

    package var id: String {
        switch kind {
        case .device(let device), .contact(let device): device.rawValue
        case .announced(let instance): instance
        }
    }
}
