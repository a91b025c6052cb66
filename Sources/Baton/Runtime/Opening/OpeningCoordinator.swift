import BatonWire
import SwiftProtobuf

/// Hands URLs to the app delegate, each request at most once.
@MainActor
final class OpeningCoordinator {
    private unowned let runtime: AppRuntime
    private var ledger = OpenedURLLedger()

    init(runtime: AppRuntime) { self.runtime = runtime }

    func open(_ message: Baton_App_V1_OpenURLCommand) -> Baton_App_V1_OpenURLResult {
        if let result = ledger.result(message.requestID) { return result }
        guard let opened = OpenedURL(message) else { return .init() }
        // Before the call: if the app runs the main queue inside of it, a repeated command must not reach it again.
        ledger.note(.init(), for: message.requestID)
        let handled = runtime.host?.open(opened, request: message.requestID)
        let result = Baton_App_V1_OpenURLResult.with {
            $0.handled = handled ?? false
            $0.implemented = handled != nil
        }
        ledger.note(result, for: message.requestID)
        return result
    }
}

/// Requests that the app was given already, so that one which is repeated does not reach it twice: a pure value.
struct OpenedURLLedger: Sendable {
    /// Policy: the oldest is forgotten. A request lasts less than two minutes.
    static let capacity = 256

    private var results: [String: Baton_App_V1_OpenURLResult] = [:]
    private var order: [String] = []

    func result(_ request: String) -> Baton_App_V1_OpenURLResult? { results[request] }

    mutating func note(_ result: Baton_App_V1_OpenURLResult, for request: String) {
        if results.updateValue(result, forKey: request) == nil {
            order.append(request)
            if order.count > Self.capacity { results[order.removeFirst()] = nil }
        }
    }
}
