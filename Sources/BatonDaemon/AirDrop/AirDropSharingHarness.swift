import AirDrop
import AppSessions
import BatonCore
import BatonTransport
import BatonWire
import Opening
import SwiftProtobuf
import Transfers

/// Answers `ShareByAirDrop`: an app's share sheet sends by AirDrop, to the device that the person chooses.
struct AirDropSharingHarness: Sendable {
    private static let maximumItems = 1000
    private static let maximumURL = 64 << 10
    private static let lookAgain = "again"

    let sharing: AirDropSharing
    let questions: QuestionService
    /// The container of an installed app.
    let container: @Sendable (BundleID) -> String?

    func register(on router: inout ConnectRouter) {
        router.appStream(SharingMethods.shareByAirDrop) { [self] request, caller, writer in
            let caller = caller.named(request.displayName).app
            try Self.check(request)
            let isInstalled = !caller.identity.team.isDevelopment
            let container = isInstalled ? container(caller.identity.bundleID) : nil
            guard !isInstalled || container != nil else {
                throw BatonError(
                    .notFound, reason: "app_not_installed", "\(caller.identity.bundleID) is not installed here.")
            }
            try await sharing.share(paths: request.paths, urls: request.urls, container: container) { peers in
                try await choose(among: peers, for: caller)
            } tell: { event in
                try await writer.write(.init(event))
            }
        }
    }

    private func choose(among peers: [NearbyPeer], for caller: AppCaller) async throws -> AirDropSharing.Choice {
        let question = Baton_App_V1_Question.with {
            $0.kind = .shareSheet
            $0.title = "AirDrop: send to which device?"
            $0.options = peers.enumerated().map { number, peer in
                .with {
                    $0.id = "\(number)"
                    $0.title = peer.title
                }
            }
            $0.options.append(
                .with {
                    $0.id = Self.lookAgain
                    $0.title = "Look again"
                })
        }
        let answers = try questions.ask(question, from: caller.identity.bundleID, named: caller.name)
        for await answer in answers {
            guard case .option(let id) = answer else { return .nobody }
            if id == Self.lookAgain { return .lookAgain }
            guard let number = Int(id), peers.indices.contains(number) else { return .nobody }
            return .peer(peers[number])
        }
        // The app withdrew the question, or the daemon ends.
        throw CancellationError()
    }

    private static func check(_ request: Baton_App_V1_ShareByAirDropRequest) throws(BatonError) {
        let count = request.paths.count + request.urls.count
        guard (1...maximumItems).contains(count) else {
            throw BatonError(
                .invalidArgument, reason: count == 0 ? "nothing_to_send" : "too_many_items",
                "Between 1 and \(maximumItems) items can be shared at once.")
        }
        guard request.paths.allSatisfy({ $0.hasPrefix("/") && !$0.utf8.contains(0) }),
            request.urls.allSatisfy({ !$0.isEmpty && $0.utf8.count <= maximumURL })
        else {
            throw BatonError(
                .invalidArgument, reason: "invalid_item", "A path is not absolute, or a URL is empty or too long.")
        }
    }
}

extension Baton_App_V1_ShareByAirDropEvent {
    init(_ event: AirDropSharing.Event) {
        self.init()
        switch event {
        case .choosing: phase = "choosing"
        case .asking(let name):
            phase = "asking"
            peerName = name
        case .progress(let progress):
            phase = "sending"
            bytes = progress.bytes
            total = progress.totalBytes
        case .ended(let outcome):
            phase = outcome.result.rawValue
            bytes = outcome.bytes
            reason = outcome.reason
            message = outcome.message
        }
    }
}
