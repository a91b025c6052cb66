package import BatonCore
package import Transfers

/// The account's other devices, as AirDrop needs them.
package protocol AirDropDevices: Sendable {
    /// This device's name, which others are shown; empty without one.
    func ownName() -> String
    func name(of device: DeviceID) -> String
    /// The account's other devices.
    func known() -> Set<DeviceID>
    /// Devices of the account that are connected now.
    func nearby() -> Set<DeviceID>
    /// Returns once a device of ``nearby()`` has answered, or is connected no more.
    func confirm(_ device: DeviceID) async
    /// Signals that `nearby` may have changed.
    func changes() -> AsyncStream<Void>
}

/// The opener of a received item.
package protocol AirDropOpening: Sendable {
    /// The app that takes files like this one, nil for none.
    func app(forFile path: String) async -> BundleID?
    /// Puts a file into the app's Inbox, launches the app if need be, and has it open the file there. The file itself may go there;
    /// if this throws, it is where it was.
    /// - Returns: the path in the Inbox.
    func open(file path: String, in app: BundleID) async throws -> String
    func open(link: String) async throws
    /// The addresses of a host; none for one that cannot be found now.
    func addresses(ofHost host: String) async -> [String]
    /// The identifier of a file's type.
    func type(ofFile path: String) async -> String?
}

/// The question to the person, and how it ended.
package struct AirDropQuestion: Hashable, Sendable {
    package var id: TransferID
    package var sender: String
    /// Nil for a contact, and for a stranger.
    package var device: DeviceID?
    package var isContact = false
    package var names: [String]
    package var links: [String]
    package var itemCount: Int
    /// Nil when the sender does not say.
    package var bytes: UInt64?
    /// Links that lead elsewhere, and special files, which do not come.
    package var leftOut = 0

    package var relation: PeerRelation { PeerRelation(ownDevice: device != nil, contact: isContact) }
}

/// How a transfer to or from this device ended.
package struct AirDropOutcome: Hashable, Sendable {
    package enum Result: String, Sendable {
        case delivered
        case declined
        case expired
        case cancelled
        case failed
    }

    package var result: Result
    /// The code of the error with which it failed.
    package var code: BatonError.Code?
    package var reason = ""
    package var message = ""
    package var items = 0
    package var bytes: UInt64 = 0
    /// On the receiving side.
    package var paths: [String] = []
    package var app: BundleID?

    package init(_ result: Result) { self.result = result }

    package init(_ error: BatonError) {
        result = error.code == .canceled ? .cancelled : .failed
        code = error.code
        reason = error.reason
        message = error.message
    }
}

/// An event of a transfer to this device.
package enum ReceivingEvent: Hashable, Sendable {
    case asked(AirDropQuestion)
    /// The question was answered with yes, or needed no answer.
    case accepted(TransferID)
    case progress(TransferID, TransferProgress)
    case ended(TransferID, AirDropOutcome)

    var transfer: TransferID {
        switch self {
        case .asked(let question): question.id
        case .accepted(let id), .progress(let id, _), .ended(let id, _): id
        }
    }
}
