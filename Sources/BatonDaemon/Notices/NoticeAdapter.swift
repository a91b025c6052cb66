import BatonCore
import Handoff
import Notices
import ServiceLifecycle

/// Passes on to the notices' service, in its words, what Handoff and the settings say.
struct NoticeAdapter: Service {
    private let notices: NoticeService
    private let handoff: HandoffService
    private let icons: AppIcons
    private let deviceName: @Sendable (DeviceID) -> String
    // Taken before anything runs, so that nothing is missed.
    private let offerChanges: AsyncStream<Void>
    private let news: AsyncStream<ContinuationNews>
    private let policies: AsyncStream<String>

    init(
        notices: NoticeService, handoff: HandoffService, settings: DaemonSettings, icons: AppIcons,
        deviceName: @escaping @Sendable (DeviceID) -> String
    ) {
        self.notices = notices
        self.handoff = handoff
        self.icons = icons
        self.deviceName = deviceName
        offerChanges = handoff.offerChanges()
        news = handoff.continuationNews()
        policies = settings.values(of: .notifications)
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    for await policy in policies {
                        notices.input(.policyChanged(NoticePolicy(rawValue: policy) ?? .on))
                    }
                }
                group.addTask {
                    for await _ in offerChanges {
                        var offers: [NoticeOffer] = []
                        for visible in handoff.offers() { offers.append(await offer(visible)) }
                        notices.input(.offersChanged(offers))
                    }
                }
                group.addTask {
                    for await news in news { await follow(news) }
                }
            }
        }
    }

    private func follow(_ news: ContinuationNews) async {
        switch news {
        case .accepted(let acceptance, let visible):
            let offer = await offer(visible)
            let subject = NoticeSubject(
                activity: offer.activity, deviceName: offer.deviceName, appName: offer.appName, icon: offer.icon,
                title: offer.title)
            notices.input(.accepted(acceptance, subject))
        case .willContinueAnswered(let acceptance, let showsProgress):
            notices.input(.willContinueAnswered(acceptance, showsProgress: showsProgress))
        case .failureTold(let acceptance):
            notices.input(.failureTold(acceptance))
        case .failureAnswered(let acceptance, let isShown):
            notices.input(.failureAnswered(acceptance, isShown: isShown))
        case .step(let acceptance, .failed(let failure)):
            notices.input(.failed(acceptance, message: failure.message))
        case .step(let acceptance, .continued), .step(let acceptance, .pageOpened),
            .step(let acceptance, .acknowledged), .step(let acceptance, .notAcknowledged):
            notices.input(.continued(acceptance))
        case .step(_, .launching), .step(_, .willContinue), .step(_, .payloadReceived):
            break
        }
    }

    private func offer(_ visible: VisibleOffer) async -> NoticeOffer {
        let activity = visible.offer.activity
        let app = visible.app
        let icon: String? = if let app { await icons.path(of: app.identity) } else { nil }
        let page = activity.webpageURL.map { "\($0)" } ?? ""
        let effect: NoticeOffer.Effect =
            switch visible.route {
            case .activity: .continues
            case .pageInApp: .opensPageInApp(page)
            case .pageInBrowser: .opensPageInBrowser(page)
            }
        return NoticeOffer(
            activity: activity.id, timestamp: visible.offer.timestamp, origin: visible.origin,
            deviceName: deviceName(visible.origin), app: app?.identity, appName: app?.name ?? "The browser",
            icon: icon, title: activity.title, effect: effect, canContinue: visible.obstacle == nil)
    }
}
