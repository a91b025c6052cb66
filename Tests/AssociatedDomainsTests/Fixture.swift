import AssociatedDomains
import BatonCore
import Foundation

enum Fixture {
    static let app = "YWBN8XTPBJ.com.company.FirstApp"
    static let otherApp = "YWBN8XTPBJ.com.company.SecondApp"

    static func file(
        _ json: String, contentType: String? = nil, anchors: TrustAnchors = .system, time: Date = Date()
    ) async throws -> SiteFile {
        try await SiteFile(Array(json.utf8), contentType: contentType, anchors: anchors, time: time)
    }

    /// A file whose `applinks` is this.
    static func links(_ json: String) async throws -> SiteAssociation {
        try await file(#"{"applinks": \#(json)}"#).association
    }

    /// A file with one entry for ``app`` with these components.
    static func components(_ json: String, entry: String = "", section: String = "") async throws -> SiteAssociation {
        try await links(#"{\#(section) "details": [{"appIDs": ["\#(app)"], \#(entry) "components": \#(json)}]}"#)
    }

    static func outcome(
        _ association: SiteAssociation, _ url: String, app: String = app,
        _ service: AssociatedDomain.Service = .appLinks
    ) throws -> LinkVerdict.Outcome {
        let page = try WebPageURL(url)
        let verdict = association.verdict(on: page, appID: app, service: service)
        // The answer without reasons must be the same.
        guard (verdict.outcome == .matched) == association.matches(page, appID: app, service: service) else {
            throw BatonError(.internal, reason: "two_answers", "verdict(on:) and matches(_:) differ for \(url)")
        }
        return verdict.outcome
    }
}
