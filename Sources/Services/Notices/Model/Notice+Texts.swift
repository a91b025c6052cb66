import BatonCore

/// The sentences of notices.
extension Notice {
    static func offer(_ offer: NoticeOffer, id: UInt64) -> Notice {
        let app = NoticeText.line(offer.appName, limit: NoticeText.title)
        let device = NoticeText.line(offer.deviceName, limit: NoticeText.title)
        let what = offer.title.map { NoticeText.line($0, limit: NoticeText.sentence) } ?? ""
        var notice = Notice(
            id: id, kind: .offer,
            title: offer.app == nil ? "Page from \(device)" : "\(app) from \(device)",
            lines: [what, effect(offer.effect, app: app)].filter { !$0.isEmpty }, icon: offer.icon,
            offer: offer.activity)
        notice.site = offer.site
        return notice
    }

    private static func effect(_ effect: NoticeOffer.Effect, app: String) -> String {
        switch effect {
        case .continues: "\(app) continues it here."
        case .opensPageInApp(let page): "\(app) opens the page at \(NoticeText.host(of: page))."
        case .opensPageInBrowser(let page): "The browser opens the page at \(NoticeText.host(of: page))."
        }
    }

    static func continuing(_ subject: NoticeSubject, acceptance: AcceptanceID, id: UInt64) -> Notice {
        let app = NoticeText.line(subject.appName, limit: NoticeText.title)
        let title = subject.title.map { NoticeText.line($0, limit: NoticeText.sentence) } ?? ""
        return Notice(
            id: id, kind: .continuing,
            title: "Continuing from \(NoticeText.line(subject.deviceName, limit: NoticeText.title)) …",
            lines: [title.isEmpty ? app : "\(app): \(title)"], icon: subject.icon, acceptance: acceptance)
    }

    static func failed(_ subject: NoticeSubject, message: String, acceptance: AcceptanceID?, id: UInt64) -> Notice {
        let app = NoticeText.line(subject.appName, limit: NoticeText.title)
        let title = subject.title.map { NoticeText.line($0, limit: NoticeText.sentence) } ?? ""
        let sentence = NoticeText.line(message, limit: NoticeText.sentence)
        return Notice(
            id: id, kind: .failed,
            title: "Could not continue from \(NoticeText.line(subject.deviceName, limit: NoticeText.title))",
            lines: [
                title.isEmpty ? app : "\(app): \(title)",
                sentence.isEmpty ? "The activity could not be continued." : sentence,
            ], icon: subject.icon, acceptance: acceptance)
    }
}
