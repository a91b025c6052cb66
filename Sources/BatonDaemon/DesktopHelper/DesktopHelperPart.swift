import AppSessions
import BatonCore
import BatonTransport
import BatonWire
import DesktopHelper
import LaunchServices
import Notices
import Opening
import ServiceLifecycle
import SessionBus
import SwiftProtobuf

/// The helper with windows: questions of apps and launch images, on the desktop.
struct DesktopHelperPart: DaemonPart {
    private let helper: DesktopHelperService
    private let questions: EventFollower<QuestionService.Event>
    private let launches: EventFollower<LaunchEvent>

    init(_ daemon: DaemonComposition) throws {
        let environment = daemon.options.environment
        let apps = try daemon.part(AppsPart.self)
        let (launchServices, icons) = (apps.launchServices, apps.icons)
        let sessions = try daemon.part(SessionsPart.self).sessions
        let service = try daemon.part(OpeningPart.self).questions
        let program: @Sendable () -> String? = { ProgramPath.find("baton-desktop", path: environment["PATH"]) }
        let helper = DesktopHelperService(
            display: DisplayEnvironment(
                own: environment, busAddress: BusAddress.session(in: environment),
                trust: DesktopTrust(launchServices: launchServices, recorder: daemon.log).admits),
            program: program, recorder: daemon.log
        ) { id, answer in
            // No caller waits for an answer that is refused, or for one of a question that is over.
            do { try service.answer(id, .init(answer)) } catch { try? service.answer(id, .cancelled) }
        }
        self.helper = helper
        questions = EventFollower(service.unwatched()) { event in
            switch event {
            case .gone(let id): helper.input(.gone(id))
            case .put(let question):
                helper.input(.put(await DesktopQuestion(question, launchServices, icons)))
            }
        }
        launches = EventFollower(apps.launchServices.events()) { event in
            switch event {
            case .launched(let app, let process, let image?):
                let name = launchServices.app(app)?.name ?? app.rawValue
                helper.input(.launched(DesktopImage(id: process, app: name, path: image.path, scaled: image.scaled)))
                // It may have been quicker than the report of its launch.
                let isActive = sessions.sessions.contains { $0.process.processID == process }
                if isActive { helper.input(.launchEnded(process: process)) }
            case .exited(_, let process, _): helper.input(.launchEnded(process: process))
            case .launched, .registryChanged: break
            }
        }
        sessions.register(LaunchImageEnd(helper: helper))
    }

    var services: [any Service] { [helper, questions, launches] }

    var stages: [Baton_Link_V1_Stage] {
        let (isAvailable, finding) = helper.finding
        return [.init("desktop_helper", isAvailable ? .ok : .failed, finding)]
    }
}

/// An app attaches once it is active.
private struct LaunchImageEnd: AppSessionParticipant {
    let helper: DesktopHelperService

    func attached(_ session: AppSession, _ attachment: AppAttachment) {
        helper.input(.launchEnded(process: session.process.processID))
    }

    func detached(_ session: AppSession) {}
    func processEnded(_ app: AppIdentity, process: Int32, message: String) {}
}

extension DesktopQuestion {
    fileprivate init(_ open: OpenQuestion, _ launchServices: LaunchServices, _ icons: AppIcons) async {
        let kind: Kind =
            switch open.question.kind {
            case .shareSheet: open.isPermission ? .permission : .choice
            case .openFile: .openFile
            case .directory: .directory
            case .unspecified, .UNRECOGNIZED: .text
            }
        self.init(
            id: open.id, app: open.appName, kind: kind, title: open.question.title,
            suggestion: open.question.suggestion)
        for option in open.question.options {
            var shown = DesktopOption(id: option.id, title: option.title)
            if let bundleID = try? BundleID(validating: option.bundleID), let app = launchServices.app(bundleID) {
                shown.iconPath = await icons.path(of: app.identity)
            }
            if !option.icon.isEmpty { shown.icon = option.icon }
            if !option.iconName.isEmpty { shown.iconName = option.iconName }
            options.append(shown)
        }
    }
}

extension QuestionAnswer {
    fileprivate init(_ answer: DesktopAnswer) {
        self =
            switch answer {
            case .option(let id): .option(id)
            case .text(let value): .text(value)
            case .cancelled: .cancelled
            }
    }
}
