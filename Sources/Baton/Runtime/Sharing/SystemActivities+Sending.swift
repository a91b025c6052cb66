import Foundation

/// Writes a mail in the desktop's program for it: texts and URLs as its body, documents attached.
final class MailActivity: SystemActivity {
    override class var activityCategory: Category { .share }
    override var activityType: ActivityType? { .mail }
    override var activityTitle: String? { "Mail" }
    override var icon: OptionIcon { .named("mail-message-new") }

    override func canPerform(_ items: [SharedItem]) -> Bool {
        guard let url = URL(string: "mailto:"), context.runtime.canOpen(url) else { return false }
        return items.allSatisfy { !$0.isDocument } || attaching != nil
    }

    /// The program that attaches files. One that a confined app starts could not read them.
    private var attaching: String? { context.tools.isConfined() ? nil : context.tools.find("xdg-email") }

    override func perform(_ items: [SharedItem], subject: String) async throws -> Bool {
        let body = items.compactMap(\.text).joined(separator: "\n")
        let documents = items.filter(\.isDocument)
        guard !documents.isEmpty else {
            guard let url = Mailto.url(to: recipients, subject: subject, body: body) else { return false }
            guard await context.runtime.open(url, universalLinksOnly: false) else {
                throw SharingError.failed("The desktop did not open its mail program.")
            }
            return true
        }
        guard let attaching else { throw SharingError.failed("xdg-email, which attaches files, is missing.") }
        var arguments = ["--utf8"]
        if !subject.isEmpty { arguments += ["--subject", subject] }
        if !body.isEmpty { arguments += ["--body", body] }
        // Files that were made for it stay until the app ends: the mail program reads them when the person sends.
        for document in documents { arguments += ["--attach", try document.file().url.path] }
        // Behind "--" nothing is taken for an option.
        if !recipients.isEmpty { arguments += ["--"] + recipients.map { "mailto:" + Mailto.address($0) } }
        try await context.tools.run(attaching, arguments, Data())
        return true
    }
}

/// URLs of mails and short messages.
enum Mailto {
    static func url(to recipients: [String] = [], subject: String, body: String) -> URL? {
        let to = recipients.map(address).joined(separator: ",")
        var fields: [String] = []
        if !subject.isEmpty { fields.append("subject=\(encoded(subject))") }
        if !body.isEmpty { fields.append("body=\(encoded(body))") }
        return URL(string: "mailto:" + to + (fields.isEmpty ? "" : "?" + fields.joined(separator: "&")))
    }

    /// As RFC 5724 has it.
    static func message(_ body: String, to recipients: [String] = []) -> URL? {
        URL(string: "sms:\(recipients.map(address).joined(separator: ","))?body=\(encoded(body))")
    }

    /// Everything but what RFC 3986 leaves unreserved; lines end as RFC 6068 wants.
    private static func encoded(_ text: String) -> String {
        let lines = text.replacingOccurrences(of: "\r\n", with: "\n").replacingOccurrences(of: "\n", with: "\r\n")
        return lines.addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: unreserved)) ?? ""
    }

    /// A mailbox or a telephone number.
    static func address(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: unreserved + "@+")) ?? ""
    }

    private static let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
}

/// Writes a short message, where the desktop has a program for it: texts and URLs only.
final class MessageActivity: SystemActivity {
    override class var activityCategory: Category { .share }
    override var activityType: ActivityType? { .message }
    override var activityTitle: String? { "Message" }
    override var icon: OptionIcon { .named("mail-send") }

    override func canPerform(_ items: [SharedItem]) -> Bool {
        guard items.allSatisfy({ !$0.isDocument }), let url = URL(string: "sms:") else { return false }
        return context.runtime.canOpen(url)
    }

    override func perform(_ items: [SharedItem], subject: String) async throws -> Bool {
        guard let url = Mailto.message(items.compactMap(\.text).joined(separator: "\n"), to: recipients)
        else { return false }
        guard await context.runtime.open(url, universalLinksOnly: false) else {
            throw SharingError.failed("The desktop did not open its program for messages.")
        }
        return true
    }
}

/// Each app of Baton that opens all of the documents. Each gets a copy in its Inbox.
struct DocumentApps: SystemActivityProvider {
    @MainActor func activities(for items: [SharedItem], in context: SharingContext) async -> [SystemActivity] {
        guard !items.isEmpty, items.allSatisfy(\.isDocument) else { return [] }
        return await context.runtime.documentApps(for: items.map(\.type)).map {
            OpenInAppActivity(context: context, app: $0)
        }
    }
}

final class OpenInAppActivity: SystemActivity {
    private let app: AppRuntime.DocumentApp

    init(context: SharingContext, app: AppRuntime.DocumentApp) {
        self.app = app
        super.init(context: context)
    }

    override class var activityCategory: Category { .share }
    override var activityType: ActivityType? { .openInApp }
    override var activityTitle: String? { "Open in \(app.name)" }
    override var icon: OptionIcon { .app(app.bundleIdentifier) }

    override func canPerform(_ items: [SharedItem]) -> Bool { items.allSatisfy(\.isDocument) }

    override func perform(_ items: [SharedItem], subject: String) async throws -> Bool {
        for item in items {
            let file = try item.file()
            defer { if file.isTemporary { TemporaryFiles.remove(file.url) } }
            guard try await context.runtime.openDocument(file.url, in: app.bundleIdentifier) else {
                throw SharingError.failed(context.runtime.notOpened(by: app.name, file.url.lastPathComponent))
            }
        }
        return true
    }
}
