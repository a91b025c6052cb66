import AirDrop
import BatonCore
import BatonTrust
import Devices
import Opening

/// The contacts, as AirDrop needs them.
struct AirDropContactBook: AirDropContacts {
    let book: TrustedDeviceBook

    var all: [TrustedDevice] { book.all }
    func changes() -> AsyncStream<Void> { book.changes() }
}

/// Opens what arrived.
struct AirDropItems: AirDropOpening {
    let service: OpeningService

    func type(ofFile path: String) async -> String? { try? await service.type(ofFile: path).type }

    func app(forFile path: String) async -> BundleID? {
        guard let type = await type(ofFile: path) else { return nil }
        return service.handlers(ofType: type).candidates.first?.bundleID
    }

    func open(file path: String, in app: BundleID) async throws -> String {
        let outcome = try await service.give(received: path, to: app)
        guard let copy = outcome.deliveredPath else {
            throw BatonError(.internal, reason: "not_delivered", "The app was not given a copy of the file.")
        }
        return copy
    }

    func open(link: String) async throws { _ = try await service.open(link, from: .person) }

    func addresses(ofHost host: String) async -> [String] { await HostAddresses.find(host) }
}
