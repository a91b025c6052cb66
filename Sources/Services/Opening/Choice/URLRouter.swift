package import BatonCore
import Foundation

/// Where a URL goes, and which rule decided: a pure decision.
///
/// 1. A page of the web goes to the app that claims it (universal link), unless that app itself opens it, or the person
///    chose the browser for the domain.
/// 2. Any other page, and every reserved scheme, goes to the desktop.
/// 3. Any other scheme goes to the best app that claims it, else to the desktop.
package struct URLRouter: Sendable {
    package enum Route: Sendable {
        /// `application(_:open:options:)`.
        case scheme(BundleID)
        /// `application(_:continue:restorationHandler:)` with a browsing activity.
        case universalLink(BundleID)
        case desktop
        case nobody(BatonError)
    }

    /// URLs longer than this are refused, in bytes.
    package static let maximumLength = 64 * 1024

    package var claimants: [OpeningClaimant]
    /// Approved claims on the page, the best first.
    package var pageClaims: [BundleID] = []
    package var schemeChoice: BundleID?
    /// The person's choice for the page's domain: an app, or the browser.
    package var domainChoice: HandlerDefault?
    package var desktopCanOpen = false

    package init(claimants: [OpeningClaimant]) { self.claimants = claimants }

    /// - Returns: the scheme.
    /// - Throws: `invalid_argument` for what is no URL, is too long, or holds what a URL cannot. A URL that is accepted
    ///   is delivered byte for byte.
    package static func check(_ url: String) throws(BatonError) -> URLScheme {
        guard url.utf8.count <= maximumLength else {
            throw BatonError(
                .invalidArgument, reason: "url_too_long", "The URL has more than \(maximumLength / 1024) KiB.")
        }
        guard let scheme = URLScheme(ofURL: url) else {
            throw BatonError(
                .invalidArgument, reason: "invalid_url",
                "“\(url.shortened(toBytes: 80))” is no URL: it has no scheme. Write it as in todolist://item.")
        }
        // Foundation would escape what is wrong, and the app would see another URL.
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), URL(string: url, encodingInvalidCharacters: false) != nil
        else {
            throw BatonError(
                .invalidArgument, reason: "invalid_url",
                "“\(url.shortened(toBytes: 80))” holds characters that a URL cannot hold. Percent-encode them.")
        }
        return scheme
    }

    package func route(
        _ url: String, from caller: OpeningCaller, universalLinksOnly: Bool = false
    ) -> (route: Route, steps: [OpeningStep]) {
        let scheme: URLScheme
        do {
            scheme = try Self.check(url)
        } catch {
            return (.nobody(error), [OpeningStep("url", false, error.message)])
        }
        var steps: [OpeningStep] = []
        if scheme.isWeb, let app = universalLink(caller, &steps) { return (.universalLink(app), steps) }
        guard !universalLinksOnly else {
            let error = BatonError(
                .notFound, reason: "no_universal_link", "No installed app claims this page as a universal link.")
            return (.nobody(error), steps + [OpeningStep("universal_link", false, error.message)])
        }
        if scheme.isReserved {
            steps.append(OpeningStep("scheme", true, "No app can claim “\(scheme)”: the desktop opens it."))
        } else {
            let choice = HandlerChoice.handlers(of: scheme, among: claimants, choice: schemeChoice)
            steps += choice.steps(claiming: "the scheme “\(scheme)”")
            if let best = choice.candidates.first { return (.scheme(best.bundleID), steps) }
        }
        guard desktopCanOpen else {
            let error = BatonError(
                .notFound, reason: "no_handler",
                "Nothing here opens “\(scheme)” URLs. Install an app that claims the scheme.")
            return (
                .nobody(error), steps + [OpeningStep("desktop", false, "The desktop has no handler for “\(scheme)”.")]
            )
        }
        return (.desktop, steps + [OpeningStep("desktop", true, "The desktop has a handler for “\(scheme)”.")])
    }

    private func universalLink(_ caller: OpeningCaller, _ steps: inout [OpeningStep]) -> BundleID? {
        guard !pageClaims.isEmpty else {
            steps.append(
                OpeningStep(
                    "universal_link", true, "No installed app claims the page.",
                    advice: "“baton explain links URL” says why an app does not."))
            return nil
        }
        if case .browser = domainChoice {
            steps.append(
                OpeningStep("universal_link", true, "The browser was chosen for this domain (baton default domain)."))
            return nil
        }
        var claims = pageClaims
        if case .app(let chosen) = domainChoice, claims.contains(chosen) {
            claims = [chosen] + claims.filter { $0 != chosen }
        }
        // An app that opens a page of its own site wants the browser.
        if let own = caller.app?.bundleID, claims.contains(own) {
            steps.append(
                OpeningStep("universal_link", true, "\(own) opens a page of its own site: it goes to the browser."))
            return nil
        }
        guard let app = claims.first else { return nil }
        steps.append(OpeningStep("universal_link", true, "\(app) claims the page, and the site confirms it."))
        return app
    }
}

extension HandlerChoice {
    /// The findings, rule by rule.
    /// - Parameter subject: as in “the scheme “todolist””.
    func steps(claiming subject: String) -> [OpeningStep] {
        var steps: [OpeningStep] = []
        if let lostChoice {
            steps.append(
                OpeningStep(
                    "choice", false, "The chosen app \(lostChoice) does not claim \(subject), or is not installed.",
                    advice: "Choose another app with “baton default”."))
        }
        for rejection in rejections {
            steps.append(OpeningStep("rejected", true, "\(rejection.bundleID) is not considered: \(rejection.reason)."))
        }
        guard let best = candidates.first else {
            return steps + [OpeningStep("handler", true, "No installed app claims \(subject).")]
        }
        let why =
            best.isPersonsChoice ? "; it was chosen by the person" : candidates.count > 1 ? "; it ranks first" : ""
        steps.append(OpeningStep("handler", true, "\(best.bundleID) \(best.claim)\(why)."))
        for other in candidates.dropFirst() {
            steps.append(OpeningStep("alternative", true, "\(other.bundleID) \(other.claim)."))
        }
        return steps
    }
}
