@preconcurrency import Glibc

/// The standard output of an app.
enum StandardOutput {
    /// The standard output of an app that Baton launched is its log. The C library would hold lines back until there are
    /// many, as with any file; `baton log --app` shows each as soon as it is printed.
    static func flushLinesWhenLaunched() {
        guard getenv("BATON_CONTAINER") != nil else { return }
        setvbuf(stdout, nil, _IOLBF, 0)
    }

    /// Writes what is held back, before the process ends without doing so.
    static func flush() { fflush(nil) }
}
