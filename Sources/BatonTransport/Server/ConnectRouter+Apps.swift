import BatonClient
package import BatonWire
import SwiftProtobuf

/// Methods of the app plane. A router with an ``AppAdmission`` admits each call of that plane once, before anything of it is
/// decoded; these hand the caller to the handler. A router without one refuses them all.
extension ConnectRouter {
    /// As ``unary(_:_:)``, for an app.
    package mutating func app<Request, Response>(
        _ method: ConnectMethod<Request, Response>,
        _ handler: @escaping @Sendable (Request, AdmittedCaller) async throws -> Response
    ) {
        unary(method) { request, context in try await handler(request, try context.app) }
    }

    /// As ``serverStream(_:_:)``, for an app.
    package mutating func appStream<Request, Response>(
        _ method: ConnectMethod<Request, Response>,
        _ handler: @escaping @Sendable (Request, AdmittedCaller, ConnectWriter<Response>) async throws -> Void
    ) {
        serverStream(method) { request, context, writer in try await handler(request, try context.app, writer) }
    }

    /// As ``pipe(_:_:)``, for an app.
    package mutating func appPipe<Request, Response>(
        _ method: ConnectMethod<Request, Response>,
        _ handler: @escaping @Sendable (Request, AdmittedCaller, PipeUpgrade) async throws -> Void
    ) {
        pipe(method) { request, context, upgrade in try await handler(request, try context.app, upgrade) }
    }
}
