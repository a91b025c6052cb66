package import BatonCore
package import BatonTransport
package import BatonWire
import SwiftProtobuf
import WebMarkup

/// Answers apps, the command line and browsers about places.
package struct SuggestionsHarness: Sendable {
    private let service: Suggestions
    private let recorder: any EventRecorder
    /// Whether fields may be offered anything now.
    private let isOffering: @Sendable () -> Bool
    private let lead: @Sendable (String) async throws -> Suggestions.Led?
    /// Forgets what others keep of places that the person has forgotten.
    private let alsoForget: @Sendable (Baton_Control_V1_ForgetPlacesRequest) async throws -> Void

    /// The limit of a place's attributes, encoded.
    private static let maximumAttributes = 64 << 10

    /// - Parameter lead: leads to a place that others know, such as home, or where a person lives; nil for one that they do not
    ///   know.
    package init(
        _ service: Suggestions, recorder: any EventRecorder,
        lead: @escaping @Sendable (String) async throws -> Suggestions.Led? = { _ in nil },
        alsoForget: @escaping @Sendable (Baton_Control_V1_ForgetPlacesRequest) async throws -> Void = { _ in },
        isOffering: @escaping @Sendable () -> Bool
    ) {
        self.service = service
        self.recorder = recorder
        self.isOffering = isOffering
        self.lead = lead
        self.alsoForget = alsoForget
    }

    package func register(on router: inout ConnectRouter) {
        router.app(ShownContentMethods.updateContext) { [service] request, caller in
            let shown = request.hasPlace ? try Self.shown(request) : nil
            try service.update(
                session: request.sessionID, caller: caller, isInFront: request.inFront, shown: shown,
                activity: String(request.activityID.prefix(100)),
                people: ShownPerson.people(request.people, isOwn: true))
            return .init()
        }
        router.unary(SuggestionsMethods.listSuggestions) { [service] request, _ in
            let limit = request.limit == 0 ? 20 : Int(min(request.limit, 200))
            let suggestions = service.suggestions(field: try Self.field(request.field), limit: limit)
            return .with { $0.suggestions = suggestions.map(Baton_Control_V1_PlaceSuggestion.init) }
        }
        router.unary(SuggestionsMethods.explainSuggestion) { [self] request, _ in
            try explain(request)
        }
        router.unary(SuggestionsMethods.getDirections) { [service, lead] request, _ in
            // “Home” is the person's, whatever an app calls the place that it shows. An identifier is a place's alone.
            let isOwn = service.place(id: request.place) == nil
            let led = isOwn ? try await lead(request.place) : nil
            let (app, isHandled, name) =
                if let led { led } else { try await service.directions(to: request.place) }
            return .with {
                $0.bundleID = app?.bundleID.rawValue ?? ""
                $0.appName = app?.name ?? ""
                $0.handled = isHandled
                $0.placeName = name
            }
        }
        router.unary(SuggestionsMethods.rememberPage) { [service] request, _ in
            let count = try await service.remember(
                .init(
                    address: request.url, title: request.title, summary: request.description_p,
                    canonical: request.canonicalURL, scripts: request.scripts, document: request.document,
                    browser: request.browser))
            return .with { $0.places = UInt32(clamping: count) }
        }
        router.unary(SuggestionsMethods.forgetPlaces) { [service, alsoForget] request, _ in
            let count = try Self.forget(request, service)
            try await alsoForget(request)
            return .with { $0.places = UInt32(clamping: count) }
        }
        router.unary(SuggestionsMethods.offerForField) { [self] request, _ in try offer(request) }
    }

    /// The likeliest place, and no more of it than a field is filled with and the person is shown.
    func offer(_ request: Baton_Control_V1_OfferForFieldRequest) throws -> Baton_Control_V1_OfferForFieldResponse {
        let field = try Self.field(request.field)
        guard isOffering(), let best = service.suggestions(field: field, limit: 1).first else { return .init() }
        recorder.record(
            "suggestions", "offered_to_field", "An input method was sent a place for the field that the person is in.",
            [:])
        return .with {
            $0.text = best.text
            $0.title = best.place.place.name ?? ""
            $0.source = best.place.source?.sourceName ?? ""
        }
    }

    private static func shown(_ request: Baton_App_V1_UpdateContextRequest) throws -> Suggestions.Shown {
        let encoded: [UInt8] = try request.place.serializedBytes()
        guard encoded.count <= maximumAttributes else {
            throw BatonError(
                .invalidArgument, reason: "place_too_large", "The attributes of a place take at most 64 KiB.")
        }
        return Suggestions.Shown(
            activity: String(request.activityID.prefix(100)), title: request.title,
            expires: request.hasExpirationTime ? request.expirationTime : nil,
            attributes: try request.place.attributes())
    }

    private static func field(_ name: String) throws(BatonError) -> FieldType? {
        if name.isEmpty { return nil }
        guard let field = FieldType.named(name) else {
            throw BatonError(
                .invalidArgument, reason: "unknown_field",
                "No place can fill a field of type “\(name.prefix(40))”. It is one of: "
                    + FieldType.all.map(\.name).joined(separator: ", ") + ".")
        }
        return field
    }

    private static func forget(_ request: Baton_Control_V1_ForgetPlacesRequest, _ service: Suggestions) throws -> Int {
        switch request.what {
        case .bundleID(let id)?:
            service.forget { if case .app(let app) = $1.source { app.bundleID.rawValue == id } else { false } }
        case .site(let site)?:
            service.forget {
                guard case .site(let name, _) = $1.source else { return false }
                return name == site.lowercased() || name.hasSuffix("." + site.lowercased())
            }
        case .name(let name)?:
            service.forget { place, _ in place.place.name?.lowercased() == name.lowercased() }
        case .since(let time)?: service.forget { $1.lastSeen >= time }
        case .all(true)?: service.forget { _, _ in true }
        case .all(false)?, nil:
            throw BatonError(.invalidArgument, reason: "nothing_named", "Say what is to be forgotten.")
        }
    }

    private func explain(
        _ request: Baton_Control_V1_ExplainSuggestionRequest
    ) throws -> Baton_Control_V1_ExplainResponse {
        let field = try Self.field(request.field)
        guard let place = service.place(request.place) else {
            throw BatonError(
                .notFound, reason: "unknown_place",
                "No place of that name was looked at in the last two hours. “baton suggestions” lists them.")
        }
        let explanation = SuggestionExplanation(place, field: field, rank: service.rank(of: place, field: field))
        return .with { $0.explanations = [explanation.message] }
    }
}

extension Baton_Control_V1_PlaceSuggestion {
    init(_ suggestion: PlaceRanker.Suggestion) {
        self.init()
        let place = suggestion.place.place
        placeID = "\(suggestion.place.id)"
        text = suggestion.text
        name = place.name ?? ""
        street = place.street ?? ""
        locality = place.locality ?? ""
        region = place.region ?? ""
        postalCode = place.postalCode ?? ""
        country = place.country ?? ""
        address = place.hasAddress ? place.addressLine ?? "" : ""
        if let coordinate = place.coordinate {
            latitude = coordinate.latitude
            longitude = coordinate.longitude
        }
        telephone = place.telephone ?? ""
        url = place.address ?? ""
        sources = suggestion.place.evidence.sorted { $0.lastSeen > $1.lastSeen }.map { evidence in
            .with {
                $0.name = evidence.sourceName
                switch evidence.source {
                case .app(let app): $0.bundleID = app.bundleID.rawValue
                case .site(let site, _): $0.site = site
                }
                $0.lastSeen = evidence.lastSeen
                $0.views = UInt32(clamping: evidence.views)
            }
        }
        score = suggestion.score.total
    }
}
