import BatonClient
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// The person at a device: sees offers, accepts them, installs apps; all through the daemon's socket.
///
/// Commands, a line each: `continue OFFER`, `install PATH`, `open URL`, `handlers URL`, and `devices -` for a bare call.
struct Driver {
    private static let limit = Duration.seconds(30)

    private let client: HTTPConnectClient

    init(socketPath: String) { client = HTTPConnectClient(socketPath: socketPath) }

    func run() async throws {
        let client = client
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await Self.watchOffers(client) }
            group.addTask {
                for await words in Lines.fromStandardInput() where words.count == 2 {
                    do {
                        switch words[0] {
                        case "continue": try await Self.continueOffer(words[1], client)
                        case "install": try await Self.install(words[1], client)
                        case "open": try await Self.time { try await Self.open(words[1], client) }
                        case "handlers":
                            try await Self.time {
                                _ = try await client.unary(
                                    ControlMethods.listHandlers, .with { $0.url = words[1] }, timeout: Self.limit)
                            }
                        case "devices":
                            try await Self.time {
                                _ = try await client.unary(ControlMethods.listDevices, .init(), timeout: Self.limit)
                            }
                        default: break
                        }
                    } catch let error as BatonError {
                        Lines.print(["event": "error", "message": error.message])
                    }
                }
            }
            // Either the input has ended or the daemon has gone.
            _ = try await group.next()
            group.cancelAll()
        }
    }

    private static func watchOffers(_ client: HTTPConnectClient) async throws {
        for try await answer in try await client.serverStream(ControlMethods.watchOffers, .with { $0.watch = true }) {
            let time = monotonicNanoseconds()
            Lines.print(["event": "offers", "t": Int(time), "ids": answer.offers.map(\.offerID)])
        }
    }

    private static func continueOffer(_ offer: String, _ client: HTTPConnectClient) async throws {
        let begin = monotonicNanoseconds()
        let steps = try await client.serverStream(ControlMethods.continueOffer, .with { $0.offerID = offer })
        var elapsed: [String: Int] = [:]
        var acceptance = ""
        for try await event in steps {
            elapsed["\(event.step)"] = Int(event.elapsed)
            acceptance = event.acceptanceID
        }
        Lines.print(["event": "ended", "t": Int(begin), "elapsed_us": elapsed, "acceptance_id": acceptance])
    }

    private static func install(_ path: String, _ client: HTTPConnectClient) async throws {
        let begin = monotonicNanoseconds()
        _ = try await client.unary(
            ControlMethods.installApp, .with { ($0.path, $0.acceptedAccess) = (path, ["unconfined"]) },
            timeout: .seconds(60))
        Lines.print(["event": "installed", "ns": Int(monotonicNanoseconds() - begin)])
    }

    /// The app's delegate has answered when this returns.
    private static func open(_ url: String, _ client: HTTPConnectClient) async throws {
        let answer = try await client.unary(ControlMethods.openItem, .with { $0.url = url }, timeout: Self.limit)
        guard answer.handled else { throw BatonError(.aborted, reason: "not_handled", "The app did not open the URL.") }
    }

    private static func time(_ call: () async throws -> Void) async throws {
        let begin = monotonicNanoseconds()
        try await call()
        Lines.print(["event": "answered", "ns": Int(monotonicNanoseconds() - begin)])
    }
}
