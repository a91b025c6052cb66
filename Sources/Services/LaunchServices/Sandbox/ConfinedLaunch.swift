import CLinux
import Glibc

/// The helper between the daemon and an app: it gives up what the app may not have, and becomes the app.
///
/// It is this program, started with other arguments. Nothing of it runs between fork and exec of the daemon, where
/// Swift code may not run.
package enum ConfinedLaunch {
    private static let option = "--confined-launch"
    private static let end = "--"
    /// Instead of a program: the helper itself reads the document on its standard input.
    static let itself = "-"
    /// How the helper ends when it could not become the app; it has said why on standard input.
    static let failure: Int32 = 126

    /// The arguments that start the helper.
    static func arguments(_ policy: SandboxPolicy, executable: String, arguments: [String]) -> [String] {
        [option] + policy.arguments + [end, executable] + arguments
    }

    /// Does nothing unless the process was started as the helper; then it does not return.
    ///
    /// On standard input is one end of a socket, for a reader on standard error. It closes when the app runs; what is written there
    /// before is why it does not.
    /// - Parameter reading: does the work of a reader that is this program, with its arguments.
    package static func runIfRequested(_ arguments: [String], reading: ([String]) -> Void) {
        guard arguments.count > 1, arguments[1] == option else { return }
        let end = arguments.dropFirst(2).first == SandboxPolicy.reader ? STDERR_FILENO : STDIN_FILENO
        let report = fcntl(end, F_DUPFD_CLOEXEC, 3)
        let nothing = open("/dev/null", end == STDIN_FILENO ? O_RDONLY : O_WRONLY)
        if nothing >= 0 { dup2(nothing, end) }
        if nothing > 2 { close(nothing) }
        let problem = become(Array(arguments.dropFirst(2))) { arguments in
            close(report)
            reading(arguments)
        }
        _ = problem.withCString { write(report, $0, strlen($0)) }
        _exit(failure)
    }

    /// - Returns: only when it failed: why.
    private static func become(_ arguments: [String], reading: ([String]) -> Void) -> String {
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
        if arguments[border + 1] == itself {
            reading(Array(arguments[(border + 2)...]))
            _exit(0)
        }
        var command: [UnsafeMutablePointer<CChar>?] = arguments[(border + 1)...].map { strdup($0) } + [nil]
        execv(arguments[border + 1], &command)
        return problem("The program cannot be started")
    }

    private static func problem(_ what: String, _ code: Int32 = errno) -> String {
        "\(what): \(String(cString: strerror(code)))."
    }
}
