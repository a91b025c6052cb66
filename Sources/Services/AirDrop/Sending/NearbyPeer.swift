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

    /// For people who choose among several. A device says its own name: none makes it look like an own one.
    package var title: String {
        switch kind {
        case .device: "\(name) (your device)"
        case .contact: "Contact \(PeerRelation.quoted(name))"
        case .announced:
            "Stranger \(PeerRelation.quoted(name))" + (model.isEmpty ? "" : ", \(PeerRelation.quoted(model))")
        }
    }

    var isContact: Bool { if case .contact = kind { true } else { false } }

    package var id: String {
        switch kind {
        case .device(let device), .contact(let device): device.rawValue
        case .announced(let instance): instance
        }
    }
}
