import BatonCore
import BatonTransport
import Logging

/// The person's settings, and the browser that one of them names.
struct SettingsPart: DaemonPart {
    let settings: DaemonSettings
    let browser: SystemBrowser

    init(_ daemon: DaemonComposition) {
        let settings = DaemonSettings(locations: daemon.options.locations, recorder: daemon.log)
        if let problem = settings.problem { daemon.logger.warning("\(problem.message)") }
        self.settings = settings
        browser = SystemBrowser(
            command: { settings.value(of: .browser) },
            environment: .init(
                variables: daemon.options.environment,
                descriptorLimit: daemon.options.descriptors.original, logs: daemon.options.locations.state),
            recorder: daemon.log)
    }

    func registerLocal(on router: inout ConnectRouter) {
        SettingsHarness(settings: settings).register(on: &router)
    }
}
