package import AppSessions
import BatonConcurrency
package import BatonCore
package import BatonTransport
import BatonWire
import SwiftProtobuf
import WebMarkup

/// Answers text fields of apps (P-36 to P-39): an app learns what the person may put into the field that they are in, and
/// where they saw it, so that it can show both. It learns no more of a place than what such a field holds, and only while it
/// is the app in front.
package struct TextFieldHarness: Sendable {
    private let service: Suggestions
    private let sessions: AppSessions
    /// Whether the person allows it.
    private let isAllowed: @Sendable () -> Bool
    private let recorder: any EventRecorder

    /// Suggestions of one answer.
    static let maximumSuggestions = 3

    package init(
        _ service: Suggestions, sessions: AppSessions, recorder: any EventRecorder,
        isAllowed: @escaping @Sendable () -> Bool
    ) {
        self.service = service
        self.sessions = sessions
        self.recorder = recorder
        self.isAllowed = isAllowed
    }

    package func register(on router: inout ConnectRouter) {
        router.appStream(TextFieldMethods.suggestForField) { [self] request, caller, writer in
            let session = try session(of: caller.process, as: caller.identity)
            service.enteredField(of: session.id.rawValue)
            try await suggest(request.contentType, session) { try await writer.write($0) }
        }
    }

    /// The attachment of the caller's process: only attached apps can be in front.
    /// - Throws: `not_found` (`unknown_session`).
    func session(of process: PeerProcess, as app: AppIdentity) throws(BatonError) -> AppSession {
        let own = sessions.sessions.first { $0.app.identity == app && $0.process.isSame(as: process) }
        guard let own else { throw AppSessions.unknownSession }
        return own
    }

    private func suggest(
        _ type: String, _ session: AppSession, write: (Baton_App_V1_SuggestForFieldResponse) async throws -> Void
    ) async throws {
        var told: [Baton_App_V1_FieldSuggestion]?
        for await _ in service.changes([()]) {
            // The app attaches again, or has ended.
            guard sessions.session(session.id) != nil else { throw AppSessions.unknownSession }
            let suggestions = self.suggestions(type, for: session.id)
            guard suggestions != told else { continue }
            told = suggestions
            if !suggestions.isEmpty {
                recorder.record(
                    "suggestions", "given_to_field", "A field of an app was given what the person looked at.",
                    ["bundle_id": session.app.identity.bundleID.rawValue, "content_type": String(type.prefix(40))])
            }
            try await write(.with { $0.suggestions = suggestions })
        }
    }

    /// None but for the app in front: one that is elsewhere has no field that the person is in.
    func suggestions(_ type: String, for session: SessionID) -> [Baton_App_V1_FieldSuggestion] {
        guard isAllowed(), service.front == session.rawValue, let field = FieldType.named(type) else { return [] }
        return service.suggestions(field: field, limit: Self.maximumSuggestions).map { suggestion in
            .with {
                $0.text = suggestion.text
                $0.title = suggestion.place.place.name ?? ""
                $0.source = suggestion.place.source?.sourceForApps ?? ""
            }
        }
    }
}
