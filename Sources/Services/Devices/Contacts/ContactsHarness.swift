import BatonCore
package import BatonTransport
import BatonTrust
import BatonWire
import Foundation
import SwiftProtobuf

/// Answers the methods of `AirDropService` that are about contacts.
package struct ContactsHarness: Sendable {
    private let book: TrustedDeviceBook
    private let pairing: PairingService
    private let deviceName: @Sendable () -> String

    /// - Parameter deviceName: of this device; empty without an account.
    package init(book: TrustedDeviceBook, pairing: PairingService, deviceName: @escaping @Sendable () -> String) {
        self.book = book
        self.pairing = pairing
        self.deviceName = deviceName
    }

    package func register(on router: inout ConnectRouter) {
        router.unary(AirDropMethods.listContacts) { [book] _, _ in
            .with { $0.contacts = book.all.map(\.message) }
        }
        router.unary(AirDropMethods.removeContact) { [book] request, _ in
            let removed = try book.remove(request.contact)
            return .with { $0.removed = removed.message }
        }
        router.serverStream(AirDropMethods.addContact) { [self] request, _, writer in
            let seconds = Duration.seconds(Int64(request.timeoutSeconds))
            guard seconds <= PairingService.maximumTimeout else {
                throw BatonError(
                    .invalidArgument, reason: "invalid_timeout", "It may take one hour at most (3600 seconds).")
            }
            try await pairing.addContact(
                to: book, deviceName: try name(request.deviceName), label: request.label,
                timeout: seconds > .zero ? seconds : PairingService.defaultTimeout
            ) { try await writer.write(DevicesHarness.message($0)) }
        }
    }

    private func name(_ wanted: String) throws(BatonError) -> String {
        let own = deviceName()
        return try DeviceProfiles.validName(
            wanted.isEmpty ? (own.isEmpty ? DevicesHarness.hostName : own) : wanted)
    }
}

extension TrustedDevice {
    fileprivate var message: Baton_Control_V1_Contact {
        .with {
            $0.id = id.rawValue
            $0.name = name
            $0.added = added
        }
    }
}
