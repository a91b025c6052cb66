import Protection
import Testing

@Suite("Following the desktop's lock")
struct SessionLockTests {
    private func followed(_ sessions: [String] = ["/one"]) -> SessionLock {
        var lock = SessionLock()
        #expect(lock.handle(.connected) == [.listSessions])
        #expect(lock.handle(.sessions(sessions)) == sessions.sorted().map { .askHint($0) })
        for session in sessions { #expect(lock.handle(.hint(session, false)) == []) }
        return lock
    }

    @Test("the desktop's word locks and unlocks once, whether a signal came before it or not (A-15)")
    func once() {
        var lock = followed()
        #expect(lock.handle(.lockWanted("/one")) == [.lock])
        #expect(lock.handle(.changed("/one")) == [.askHint("/one")])
        #expect(lock.handle(.hint("/one", true)) == [])
        #expect(lock.handle(.unlockWanted("/one")) == [.unlock])
        #expect(lock.handle(.hint("/one", false)) == [])
        #expect(lock.handle(.hint("/one", true)) == [.lock])
        #expect(lock.handle(.hint("/one", false)) == [.unlock])
    }

    @Test("a desktop that says nothing locks again each time that it is asked to")
    func silent() {
        var lock = followed()
        #expect(lock.handle(.lockWanted("/one")) == [.lock])
        #expect(lock.handle(.lockWanted("/one")) == [.lock])
    }

    @Test("sessions of others count for nothing, and neither does what was never locked")
    func others() {
        var lock = followed()
        for input in [
            SessionLock.Input.lockWanted("/other"), .hint("/other", true), .changed("/other"), .unlockWanted("/other"),
            .unlockWanted("/one"), .hint("/one", false),
        ] {
            #expect(lock.handle(input) == [])
        }
    }

    @Test("of several sessions the last one that is unlocked unlocks, and one that ends unlocks nothing")
    func several() {
        var lock = followed(["/one", "/two"])
        #expect(lock.handle(.hint("/one", true)) == [.lock])
        #expect(lock.handle(.hint("/two", true)) == [.lock])
        #expect(lock.handle(.hint("/one", false)) == [])
        #expect(lock.handle(.sessionsChanged) == [.listSessions])
        #expect(lock.handle(.sessions(["/one"])) == [.askHint("/one")])
        #expect(lock.handle(.hint("/one", false)) == [])
        #expect(lock.handle(.hint("/one", true)) == [.lock])
    }

    @Test("a session that is locked when the daemon starts locks; one that was unlocked while logind was away unlocks")
    func starts() {
        var lock = SessionLock()
        _ = lock.handle(.connected)
        _ = lock.handle(.sessions(["/one"]))
        #expect(lock.handle(.hint("/one", true)) == [.lock])
        #expect(lock.handle(.connected) == [.listSessions])
        _ = lock.handle(.sessions(["/one"]))
        #expect(lock.handle(.hint("/one", false)) == [.unlock])
    }

    @Test("no more sessions are followed than there is room for")
    func bound() {
        var lock = SessionLock()
        #expect(lock.handle(.sessions((0..<1000).map { "/\($0)" })).count == SessionLock.maximumSessions)
    }
}
