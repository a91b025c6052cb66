import BatonTransport
import BatonWire

/// Speaks `baton.link.v1.PairingService` for one pairing.
struct PairingHarness {
    private let pairing: SponsorPairing

    init(_ pairing: SponsorPairing) { self.pairing = pairing }

    func register(on router: inout ConnectRouter) {
        router.unary(PairingMethods.begin) { [pairing] request, _ in try pairing.begin(request) }
        router.unary(PairingMethods.reveal) { [pairing] request, _ in try pairing.reveal(request) }
        router.unary(PairingMethods.exchange) { [pairing] request, _ in try await pairing.exchange(request) }
        router.unary(PairingMethods.attend) { [pairing] request, _ in try await pairing.attend(request) }
        router.unary(PairingMethods.abandon) { [pairing] request, _ in try pairing.abandon(request) }
    }
}
