import CLinux
import Glibc

/// The helper between the daemon and an app: it gives up what the app may not have, and becomes the app.
///
/// It is this program, started with other arguments. Nothing of it runs between fork and exec of the daemon, where
/// Swift code may not run.
package enum ConfinedLaunch {
    private static let option = "--confined-launch"
    private static let end = "--"
    /// How the helper ends when it could not become the app; it has said why on standard input.
    static let failure: Int32 = 126

    /// The arguments that start the helper.
    static func arguments(_ policy: SandboxPolicy, executable: String, arguments: [String]) -> [String] {
        [option] + policy.arguments + [end, executable] + arguments
    }

    /// Does nothing unless the process was started as the helper; then it does not return.
    ///
    /// On standard input is one end of a socket. It closes when the app runs; what is written there before is why it does
    /// not.
    package static func runIfRequested(_ arguments: [String]) {
        guard arguments.count > 1, arguments[1] == option else { return }
        let report = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
        let nothing = open("/dev/null", O_RDONLY)
        if nothing >= 0 { dup2(nothing, STDIN_FILENO) }
        if nothing > 2 { close(nothing) }
        let problem = become(Array(arguments.dropFirst(2)))
        _ = problem.withCString { write(report, $0, strlen($0)) }
        _exit(failure)
    }

    /// - Returns: only when it failed: why.
    private static func become(_ arguments: [String]) -> String {
        guard let border = arguments.firstIndex(of: end), border + 1 < arguments.count,
            let policy = SandboxPolicy(arguments: arguments[..<border])
        else { return "The helper was started with arguments that it does not know." }
        guard baton_set_no_new_privileges() == 0 else { return problem("Privileges cannot be given up") }
        // Either is inherited and never comes off, so an app's descendants are known by it.
        if policy.rules.isEmpty {
            _ = baton_add_open_filter()
        } else {
            // Where the kernel has filters it takes this one; one without them has no Landlock either.
            _ = baton_add_app_filter(UInt32(bitPattern: getpid()))
            if let version = Landlock.version {
                let code = Landlock.confine(to: policy, version: version)
                guard code == 0 else { return problem("Landlock refuses", code) }
            }
        }
        if policy.isImporter {
            guard ImportLimits.apply(), baton_add_import_filter(UInt32(bitPattern: getpid())) == 0 else {
                return problem("The kernel refuses the limits of an import extension")
            }
        }
        // The app would block the signals that this thread blocks.
        var none = sigset_t()
        sigemptyset(&none)
        sigprocmask(SIG_SETMASK, &none, nil)
        var command: [UnsafeMutablePointer<CChar>?] = arguments[(border + 1)...].map { strdup($0) } + [nil]
        execv(arguments[border + 1], &command)
        return problem("The program cannot be started")
    }

    private static func problem(_ what: String, _ code: Int32 = errno) -> String {
        "\(what): \(String(cString: strerror(code)))."
    }
}
