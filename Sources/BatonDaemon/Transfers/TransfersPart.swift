import BatonTransport
import Peers
import Transfers

/// Files between the account's devices, for the parts after it.
struct TransfersPart: DaemonPart {
    let deciders = TransferDeciders()
    private let outbox = TransferOutbox()
    private let peers: LinkPeers

    init(_ daemon: DaemonComposition) throws { peers = try daemon.part(DevicesPart.self).peers }

    func client(of owner: TransferOwner) -> TransferClient {
        TransferClient(owner: owner, outbox: outbox, peers: peers)
    }

    func registerLink(on router: inout ConnectRouter) {
        TransfersHarness(outbox: outbox, deciders: deciders).register(on: &router)
    }
}
