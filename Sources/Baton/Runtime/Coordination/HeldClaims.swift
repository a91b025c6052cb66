import FileCoordination
import Foundation

/// The claims that the current thread holds while it runs an accessor, the innermost last.
enum HeldClaims {
    private static let key = "baton.held-claims"

    static var innermost: CoordinationRequestID? {
        (Thread.current.threadDictionary[key] as? [CoordinationRequestID])?.last
    }

    static func holding<Value>(_ id: CoordinationRequestID, _ body: () -> Value) -> Value {
        let claims = Thread.current.threadDictionary[key] as? [CoordinationRequestID] ?? []
        Thread.current.threadDictionary[key] = claims + [id]
        defer { Thread.current.threadDictionary[key] = claims.isEmpty ? nil : claims }
        return body()
    }
}
