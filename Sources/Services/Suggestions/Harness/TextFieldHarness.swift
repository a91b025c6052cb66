package import AppSessions
import BatonConcurrency
package import BatonCore
package import BatonTransport
import BatonWire
import SwiftProtobuf
import WebMarkup

/// Answers text fields of apps (P-36 to P-39): an app is told what the person may put into the field that they are in, and where they
/// saw it, so that it can show both. It is told no more of a place than what such a field holds.
package struct TextFieldHarness: Sendable {
    private let service: Suggestions
    private let sessions: AppSessions
    /// Whether the person lets apps be told.
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
        router.serverStream(TextFieldMethods.suggestForField) { [self] request, context, writer in
            let app = try sessions.admit(
                try context.process, claiming: request.bundleID, protocolVersion: request.protocolVersion)
            try await suggest(request.contentType, app.identity.bundleID.rawValue) { try await writer.write($0) }
        }
    }

    private func suggest(
        _ type: String, _ bundleID: String, write: (Baton_App_V1_SuggestForFieldResponse) async throws -> Void
    ) async throws {
        var told: [Baton_App_V1_FieldSuggestion]?
        for await _ in service.changes([()]) {
            let suggestions = self.suggestions(type)
            guard suggestions != told else { continue }
            told = suggestions
            if !suggestions.isEmpty {
                recorder.record(
                    "suggestions", "given_to_field", "A field of an app was given what the person looked at.",
                    ["bundle_id": bundleID, "content_type": String(type.prefix(40))])
            }
            try await write(.with { $0.suggestions = suggestions })
        }
    }

    private func suggestions(_ type: String) -> [Baton_App_V1_FieldSuggestion] {
        guard isAllowed(), let field = FieldType.named(type) else { return [] }
        return service.suggestions(field: field, limit: Self.maximumSuggestions).map { suggestion in
            .with {
                $0.text = suggestion.text
                $0.title = suggestion.place.place.name ?? ""
                $0.source = suggestion.place.source?.sourceName ?? ""
            }
        }
    }
}
