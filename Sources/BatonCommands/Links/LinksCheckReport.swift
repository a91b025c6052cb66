import AssociatedDomains
import BatonCore
import Foundation
import SiteAssociationClient

/// The findings of `baton links check`.
struct LinksCheckReport {
    let domain: DomainName
    let url: String?
    var source = ""
    var attempts: [SiteFetch.Attempt] = []
    var signer: SiteFileSigner?
    var warnings: [String] = []
    var verdicts: [LinkVerdict] = []
    var problem: BatonError?
    /// The problem is that nothing is known of the file.
    var isUnreachable = false
    /// Why the page is not the site's, or only for some apps.
    var remark: String?
    private var isOfDomain = true
    /// Without a page, whether it matters which apps the file names.
    private var isAboutApps = false

    init(domain: DomainName, url: String?) {
        self.domain = domain
        self.url = url
    }

    /// Whether the page belongs to one of the apps in question; without a page: whether the file names one of them; when
    /// none is in question: whether the file is valid.
    var isMatch: Bool {
        problem == nil && isOfDomain
            && (url == nil && !isAboutApps || verdicts.contains { $0.outcome == .matched })
    }

    mutating func judge(
        _ association: SiteAssociation, page: WebPageURL?, app: String?, service: AssociatedDomain.Service?
    ) {
        let services = service.map { [$0] } ?? AssociatedDomain.Service.checkable
        isAboutApps = app != nil || service != nil
        if let page, page.host != domain {
            isOfDomain = page.host.isSubdomain(of: domain)
            remark =
                isOfDomain
                ? "\(page.host) is below \(domain): this file counts there only for apps that claim *.\(domain)."
                : "The page is on \(page.host), about which the file of \(domain) says nothing."
        }
        if let page, page.hadDotSegments {
            let path =
                "Compared is the path \(String(decoding: page.path.prefix(300), as: UTF8.self)), as browsers ask for it."
            remark = remark.map { "\($0) \(path)" } ?? path
        }
        guard isOfDomain else { return }
        for service in services {
            for appID in app.map({ [$0] }) ?? association.appIDs(for: service) {
                // Without a page there is nothing to match: only the apps are listed.
                let verdict =
                    page.map { association.verdict(on: $0, appID: appID, service: service) }
                    ?? association.membership(of: appID, in: service)
                verdicts.append(verdict)
                if let warning = verdict.warning, !warnings.contains(warning) { warnings.append(warning) }
            }
        }
    }

    private var word: String { problem != nil ? "invalid" : isMatch ? "match" : "no_match" }

    // MARK: JSON

    var json: JSONValue {
        [
            "verdict": .string(word), "domain": .string(domain.rawValue), "url": url.map(JSONValue.string) ?? .null,
            "source": .init(nonEmpty: source),
            "problem": problem.map { ["reason": .string($0.reason), "message": .string($0.message)] } ?? .null,
            "signer": signer.map { signer in
                [
                    "subject": .string(signer.subject), "issuer": .string(signer.issuer),
                    "not_after_ms": .integer(Int64(signer.notAfter.timeIntervalSince1970 * 1000)),
                ]
            } ?? .null,
            "remark": remark.map(JSONValue.string) ?? .null, "warnings": .init(strings: warnings),
            "attempts": .array(attempts.map { ["url": .string($0.url), "finding": .string($0.finding)] }),
            "results": .array(verdicts.map(Self.json)),
        ]
    }

    private static func json(_ verdict: LinkVerdict) -> JSONValue {
        [
            "service": .string(verdict.service.rawValue), "app": .string(verdict.appID),
            "outcome": .string(verdict.outcome.rawValue), "reason": .string(verdict.reason),
            "steps": .init(verdict.steps),
            "rules": .array(
                verdict.rules.map { rule in
                    [
                        "location": .string(rule.location), "comment": rule.comment.map(JSONValue.string) ?? .null,
                        "exclude": .boolean(rule.isExcluding), "matched": .boolean(rule.failure == nil),
                        "part": rule.failure.map { .string($0.part) } ?? .null,
                        "pattern": rule.failure.map { .string($0.pattern) } ?? .null,
                        "text": rule.failure.map { .string($0.text) } ?? .null,
                    ]
                }),
        ]
    }

    // MARK: Text

    func text(_ session: CommandSession) -> String {
        var lines: [String] = []
        func add(_ text: String) { lines.append(TerminalText.escape(text)) }
        // The last one may be the problem itself, which goes to standard error.
        for attempt in attempts where attempt.finding != problem?.message {
            add(attempt.finding.hasPrefix(attempt.url) ? attempt.finding : "\(attempt.url): \(attempt.finding)")
        }
        if problem == nil { add("\(domain): the file is valid\(signed).") }
        for warning in warnings { add("warning: \(warning)") }
        if let remark { add(remark) }
        for verdict in verdicts {
            let outcome = verdict.outcome.rawValue.replacing("_", with: " ")
            let colour: Paint.Colour = verdict.outcome == .matched ? .green : .yellow
            lines.append(
                "\(verdict.service.rawValue)  \(TerminalText.escape(verdict.appID))  \(session.paint(colour, outcome))")
            for rule in verdict.rules { add("  " + Self.sentence(rule)) }
            add("  " + verdict.reason)
        }
        if problem == nil, isOfDomain, verdicts.isEmpty { add("The file names no app of those in question.") }
        return lines.joined(separator: "\n")
    }

    private var signed: String {
        signer.map { ", signed by \($0.subject), issued by \($0.issuer)" } ?? ", plain JSON"
    }

    private static func sentence(_ rule: LinkVerdict.Rule) -> String {
        let comment = rule.comment.map { " (\($0))" } ?? ""
        let kind = rule.isExcluding ? " excludes" : ""
        guard let failure = rule.failure else { return "\(rule.location)\(comment)\(kind): matches" }
        return "\(rule.location)\(comment)\(kind): no, “\(failure.part)” is “\(failure.text.prefix(300))”, which "
            + "“\(failure.pattern.prefix(300))” does not match"
    }
}
