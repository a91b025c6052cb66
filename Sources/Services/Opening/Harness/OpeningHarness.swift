import AppSessions
package import BatonConcurrency
import BatonCore
package import BatonTransport
import BatonTrust
import BatonWire
import SwiftProtobuf
import UniformTypes

/// Answers apps and the command line about opening.
package struct OpeningHarness: Sendable {
    private let service: OpeningService
    private let apps: any OpeningApps
    private let clock: MomentClock

    package init(
        _ service: OpeningService, apps: any OpeningApps, clock: MomentClock = MomentClock(wall: .system)
    ) {
        self.service = service
        self.apps = apps
        self.clock = clock
    }

    package func register(on router: inout ConnectRouter) {
        router.app(OpeningMethods.openURL) { [self] request, caller in try await openURL(request, caller) }
        router.app(OpeningMethods.canOpenURL) { [self] request, caller in try canOpenURL(request, caller) }
        router.app(OpeningMethods.listDocumentHandlers) { [self] request, caller in
            try listDocumentHandlers(request, caller)
        }
        router.app(OpeningMethods.openDocument) { [self] request, caller in try await openDocument(request, caller) }
        router.unary(ControlMethods.openItem) { [self] request, context in
            try await openItem(request, context)
        }
        router.unary(ControlMethods.listHandlers) { [self] request, _ in try await listHandlers(request) }
        router.unary(ControlMethods.listHandlerDefaults) { [service] _, _ in
            .with { $0.defaults = service.defaults.all().map(Self.message) }
        }
        router.unary(ControlMethods.setHandlerDefault) { [self] request, _ in try await setDefault(request) }
        router.unary(ControlMethods.describeType) { [self] request, _ in try await describeType(request) }
    }

    // MARK: Apps

    private func openURL(
        _ request: Baton_App_V1_OpenURLRequest, _ caller: AdmittedCaller
    ) async throws -> Baton_App_V1_OpenURLResponse {
        try service.checkRate(of: caller.identity, at: clock.now)
        do {
            let outcome = try await service.open(
                request.url, from: OpeningCaller(app: caller.identity),
                universalLinksOnly: request.universalLinksOnly,
                annotation: request.hasAnnotation ? request.annotation : nil)
            // An app of another team does not learn which apps open the person's URLs.
            let app = outcome.app.flatMap(apps.identity)
            let isKnown = app.map { caller.identity.team.isDevelopment || $0.team == caller.identity.team } ?? false
            return .with {
                $0.opened = true
                $0.bundleID = isKnown ? app?.bundleID.rawValue ?? "" : ""
            }
        } catch let error as BatonError where error.code == .notFound {
            return .with { $0.opened = false }
        }
    }

    /// Only the schemes that the app declares may be asked about; a development app declares nothing here, and its library
    /// checks its Info.plist.
    private func canOpenURL(
        _ request: Baton_App_V1_CanOpenURLRequest, _ caller: AdmittedCaller
    ) throws -> Baton_App_V1_CanOpenURLResponse {
        guard let scheme = URLScheme(ofURL: request.url) else { return .init() }
        if let claims = apps.claimants().first(where: { $0.bundleID == caller.identity.bundleID })?.claims,
            // Which of the desktop's schemes have a handler says nothing about the person's apps.
            !scheme.isReserved, !caller.identity.team.isDevelopment, !claims.queriedSchemes.contains(scheme.rawValue)
        {
            return .init()
        }
        return .with { $0.canOpen = service.canOpen(request.url) }
    }

    private static let maximumTypes = 1000

    private func listDocumentHandlers(
        _ request: Baton_App_V1_ListDocumentHandlersRequest, _ caller: AdmittedCaller
    ) throws -> Baton_App_V1_ListDocumentHandlersResponse {
        guard request.types.count <= Self.maximumTypes else {
            throw BatonError(
                .invalidArgument, reason: "too_many_types", "Ask about at most \(Self.maximumTypes) documents at once.")
        }
        let types = Array(Set(request.types.dropFirst()).subtracting(request.types.prefix(1)))
        let handlers = service.handlers(ofAll: request.types.prefix(1) + types, except: caller.identity.bundleID)
        return .with {
            $0.handlers = handlers.map { handler in
                .with {
                    $0.bundleID = handler.bundleID.rawValue
                    $0.name = handler.name
                }
            }
        }
    }

    private func openDocument(
        _ request: Baton_App_V1_OpenDocumentRequest, _ caller: AdmittedCaller
    ) async throws -> Baton_App_V1_OpenDocumentResponse {
        try service.checkRate(of: caller.identity, at: clock.now)
        let process = caller.process
        let outcome = try await service.open(
            document: request.path, from: caller.identity, with: try BundleID(validating: request.handlerBundleID),
            annotation: request.hasAnnotation ? request.annotation : nil, isWanted: { process.isAlive })
        return .with { $0.handled = outcome.isHandled }
    }

    // MARK: The person

    private func openItem(
        _ request: Baton_Control_V1_OpenItemRequest, _ context: CallContext
    ) async throws -> Baton_Control_V1_OpenItemResponse {
        let app = request.bundleID.isEmpty ? nil : try BundleID(validating: request.bundleID)
        let outcome: OpeningService.Outcome
        switch request.item {
        case .url(let url)?: outcome = try await service.open(url, from: .person, with: app)
        case .file(let path)?:
            let process = try context.process
            outcome = try await service.open(file: path, from: .person, with: app, isWanted: { process.isAlive })
        case nil: throw Self.nothingNamed
        }
        return .with {
            $0.bundleID = outcome.app?.rawValue ?? ""
            $0.appName = outcome.app.map(name) ?? ""
            $0.handled = outcome.isHandled
            $0.deliveredPath = outcome.deliveredPath ?? ""
        }
    }

    private func name(_ bundleID: BundleID) -> String {
        apps.claimants().first { $0.bundleID == bundleID }?.name ?? bundleID.rawValue
    }

    private func listHandlers(
        _ request: Baton_Control_V1_ListHandlersRequest
    ) async throws -> Baton_Control_V1_ListHandlersResponse {
        let choice: HandlerChoice
        var type = ""
        switch request.subject {
        case .url(let url)?: choice = try service.handlers(of: url)
        case .file(let path)?:
            type = try await service.type(ofFile: path).type
            choice = service.handlers(ofType: type)
        case .type(let identifier)?:
            type = try declaration(of: identifier).identifier
            choice = service.handlers(ofType: type)
        case nil: throw Self.nothingNamed
        }
        return .with {
            $0.type = type
            $0.handlers = choice.candidates.map { candidate in
                .with {
                    $0.bundleID = candidate.bundleID.rawValue
                    $0.name = candidate.name
                    $0.claim = candidate.claim
                    $0.chosen = candidate.isPersonsChoice
                }
            }
        }
    }

    private static func message(_ entry: HandlerDefaults.Entry) -> Baton_Control_V1_HandlerDefault {
        .with {
            $0.kind = entry.kind
            $0.name = entry.name
            if case .app(let bundleID) = entry.choice { $0.bundleID = bundleID.rawValue }
        }
    }

    private func setDefault(
        _ request: Baton_Control_V1_SetHandlerDefaultRequest
    ) async throws -> Baton_Control_V1_SetHandlerDefaultResponse {
        let subject = try subject(kind: request.kind, name: request.name)
        switch request.choice {
        case .bundleID(let text)?:
            let bundleID = try BundleID(validating: text)
            try check(bundleID, opens: subject)
            try await service.defaults.set(.app(bundleID), for: subject)
        case .browser?:
            guard case .domain = subject else {
                throw BatonError(
                    .invalidArgument, reason: "browser_opens_pages",
                    "The browser can be chosen for a domain only. For a scheme or a type, name an app.")
            }
            try await service.defaults.set(.browser, for: subject)
        case .reset?: try await service.defaults.set(nil, for: subject)
        case nil: throw Self.nothingNamed
        }
        return .init()
    }

    private func subject(kind: String, name: String) throws(BatonError) -> OpeningSubject {
        switch kind {
        case "scheme":
            guard let scheme = URLScheme(name) else {
                throw BatonError(
                    .invalidArgument, reason: "invalid_scheme",
                    "“\(name.shortened(toBytes: 80))” is no scheme. Write it without “:”, as in todolist.")
            }
            guard !scheme.isReserved else {
                throw BatonError(
                    .invalidArgument, reason: "reserved_scheme",
                    "No app of Baton can open “\(scheme)”: the desktop does. Choose its handler in the desktop's settings."
                )
            }
            return .scheme(scheme)
        case "type": return .type(try declaration(of: name).identifier)
        case "domain":
            guard !name.isEmpty, name.utf8.count <= 253, !name.contains("/"), !name.contains(":") else {
                throw BatonError(
                    .invalidArgument, reason: "invalid_domain",
                    "“\(name.shortened(toBytes: 80))” is no domain. Write it as in example.com.")
            }
            return .domain(name)
        default:
            throw BatonError(
                .invalidArgument, reason: "invalid_kind", "A default is of a scheme, a type or a domain.")
        }
    }

    /// An app is chosen only for what it claims, so that a slip of the keyboard does not make it unreachable.
    private func check(_ bundleID: BundleID, opens subject: OpeningSubject) throws(BatonError) {
        guard apps.identity(of: bundleID) != nil else {
            throw BatonError(
                .notFound, reason: "app_not_installed",
                "\(bundleID) is not installed here. “baton apps” lists the apps.")
        }
        let candidates: [HandlerChoice.Candidate]
        switch subject {
        case .scheme(let scheme): candidates = try service.handlers(of: scheme.rawValue + ":").candidates
        case .type(let type): candidates = service.handlers(ofType: type).candidates
        case .domain: return
        }
        guard candidates.contains(where: { $0.bundleID == bundleID }) else {
            throw BatonError(
                .failedPrecondition, reason: "app_does_not_claim",
                "\(bundleID) does not claim the \(subject.kind) “\(subject.name)”. “baton handlers” lists the apps that do."
            )
        }
    }

    // MARK: Types

    private func describeType(
        _ request: Baton_Control_V1_DescribeTypeRequest
    ) async throws -> Baton_Control_V1_DescribeTypeResponse {
        let types = service.types()
        var content: String?
        let identifier: String
        switch request.subject {
        case .identifier(let text)?: identifier = text
        case .filenameExtension(let tag)?:
            identifier = try Self.found(types.type(tag: tag, of: .filenameExtension, conformingTo: "public.data"), tag)
        case .mimeType(let tag)?: identifier = try Self.found(types.type(tag: tag, of: .mimeType), tag)
        case .file(let path)?: (identifier, content) = try await service.type(ofFile: path)
        case nil: throw Self.nothingNamed
        }
        let declaration = try declaration(of: identifier)
        return .with {
            $0.identifier = declaration.identifier
            $0.description_p = declaration.description ?? ""
            $0.supertypes = types.supertypes(of: declaration.identifier)
            $0.filenameExtensions = declaration.tags[.filenameExtension] ?? []
            $0.mimeTypes = declaration.tags[.mimeType] ?? []
            $0.contentMimeType = content ?? ""
            switch types.origin(of: declaration.identifier) {
            case nil: $0.isDynamic = true
            case .system?: break
            case .exported(let app)?, .imported(let app)?: $0.declaredBy = app
            }
        }
    }

    private static func found(_ type: String?, _ tag: String) throws(BatonError) -> String {
        guard let type else {
            throw BatonError(
                .invalidArgument, reason: "invalid_tag",
                "“\(tag.shortened(toBytes: 80))” is neither an extension, as in png, nor a MIME type, as in image/png.")
        }
        return type
    }

    private func declaration(of identifier: String) throws(BatonError) -> TypeDeclaration {
        guard let declaration = service.types().declaration(of: identifier) else {
            throw BatonError(
                .notFound, reason: "unknown_type",
                "No type “\(identifier.shortened(toBytes: 80))” is known here. An installed app may declare it once it is there."
            )
        }
        return declaration
    }

    private static var nothingNamed: BatonError {
        BatonError(.invalidArgument, reason: "nothing_named", "The request names nothing.")
    }
}
