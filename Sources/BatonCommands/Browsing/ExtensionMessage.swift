import AssociatedDomains
package import BatonCore

/// Messages of the browser extension, one JSON object each.
package enum ExtensionMessage: Sendable, Equatable {
    /// `{"kind":"page","url":…,"title":…,"visit":true}`: the page that the person is on; `visit` when they have come to
    /// it, false when only its title changed.
    case page(BrowsedPage, isVisit: Bool)
    /// A page that cannot be published, and why.
    case unfitPage(reason: String, message: String)
    /// `{"kind":"noPage"}`: the person is on no page, or on a private one.
    case noPage
    /// `{"kind":"watchOffers"}`: the offers now, and at each change.
    case watchOffers
    /// `{"kind":"open","offerId":…,"request":1}`: the browser wants the offer's page, to open it itself.
    case open(offer: ActivityID, request: Int)
    /// `{"kind":"continue","offerId":…,"request":1}`: the app here continues the offer.
    case `continue`(offer: ActivityID, request: Int)
    /// `{"kind":"remember","url":…,"title":…,"description":…,"canonical":…,"scripts":[…],"document":…,"browser":…}`: a visited
    /// page whose places are to be remembered.
    case remember(RememberedPage)
    /// `{"kind":"suggest","field":"street-address","request":1}`: the places for a field of a page, by its token of
    /// `autocomplete`.
    case suggest(field: String, request: Int)
    /// `{"kind":"status"}`: whether the daemon runs.
    case status

    /// - Throws: `invalid_argument` with reason `malformed_message` or `unknown_message`.
    package init(_ bytes: [UInt8]) throws(BatonError) {
        let fields = try Fields(bytes)
        let kind = try fields.text("kind")
        switch kind {
        case "page":
            let (url, title) = (try fields.text("url"), try fields.optionalText("title"))
            let isVisit = try fields.boolean("visit")
            do {
                self = .page(try BrowsedPage(url: url, title: title), isVisit: isVisit)
            } catch {
                self = .unfitPage(reason: error.reason, message: error.message)
            }
        case "noPage": self = .noPage
        case "watchOffers": self = .watchOffers
        case "open": self = .open(offer: try fields.offer(), request: try fields.request())
        case "continue": self = .continue(offer: try fields.offer(), request: try fields.request())
        case "remember":
            self = .remember(
                RememberedPage(
                    url: try fields.text("url"), title: try fields.optionalText("title") ?? "",
                    description: try fields.optionalText("description") ?? "",
                    canonical: try fields.optionalText("canonical") ?? "", scripts: try fields.texts("scripts"),
                    document: try fields.optionalText("document") ?? "",
                    browser: try fields.optionalText("browser") ?? ""))
        case "suggest": self = .suggest(field: try fields.field(), request: try fields.request())
        case "status": self = .status
        default:
            throw BatonError(
                .invalidArgument, reason: "unknown_message",
                "The extension asks for “\(kind.prefix(40))”, which this version of Baton does not know. Update Baton.")
        }
    }
}

/// The members of a message, each of the type that it must have.
private struct Fields {
    private let members: [(name: String, value: StrictJSON)]

    init(_ bytes: [UInt8]) throws(BatonError) {
        let json: StrictJSON
        do {
            json = try StrictJSON(bytes)
        } catch {
            throw Self.malformed("it is not JSON, or not unambiguous")
        }
        guard case .object(let members) = json else { throw Self.malformed("it is not an object") }
        self.members = members
    }

    private subscript(name: String) -> StrictJSON? { members.first { $0.name == name }?.value }

    func text(_ name: String) throws(BatonError) -> String {
        guard case .string(let text)? = self[name] else { throw Self.malformed("“\(name)” is not a text") }
        return text
    }

    /// Nil when it is absent or null.
    func optionalText(_ name: String) throws(BatonError) -> String? {
        switch self[name] {
        case nil, .null?: nil
        case .string(let text)?: text
        default: throw Self.malformed("“\(name)” is not a text")
        }
    }

    /// Nothing when it is absent or null.
    func texts(_ name: String) throws(BatonError) -> [String] {
        switch self[name] {
        case nil, .null?: return []
        case .array(let values)?:
            var texts: [String] = []
            for value in values {
                guard case .string(let text) = value else { throw Self.malformed("“\(name)” are not texts") }
                texts.append(text)
            }
            return texts
        default: throw Self.malformed("“\(name)” are not texts")
        }
    }

    func boolean(_ name: String) throws(BatonError) -> Bool {
        guard case .boolean(let value)? = self[name] else { throw Self.malformed("“\(name)” is not true or false") }
        return value
    }

    func offer() throws(BatonError) -> ActivityID {
        guard let id = ActivityID(rawValue: try text("offerId")) else {
            throw Self.malformed("“offerId” is not \(ActivityID.kind)")
        }
        return id
    }

    func field() throws(BatonError) -> String {
        let field = try text("field")
        guard !field.isEmpty, field.utf8.count <= FormSuggestion.maximumField else {
            throw Self.malformed("“field” is no token of a field")
        }
        return field
    }

    /// A number of the extension's choice, which the answer repeats.
    func request() throws(BatonError) -> Int {
        guard case .number(let number)? = self["request"], let request = Int(exactly: number),
            (0...Int(Int32.max)).contains(request)
        else { throw Self.malformed("“request” is not a whole number from 0 to \(Int32.max)") }
        return request
    }

    private static func malformed(_ what: String) -> BatonError {
        BatonError(
            .invalidArgument, reason: "malformed_message", "A message of the browser extension was refused: \(what).")
    }
}
