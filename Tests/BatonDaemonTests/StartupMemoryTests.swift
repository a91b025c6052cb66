import Testing

@testable import BatonDaemon

@Suite("Memory of the start")
struct StartupMemoryTests {
    @Test("what only the start needs is given back, and the program goes on")
    func release() {
        #expect(StartupMemory.release() > 1 << 20)
        // Needs code that has just gone.
        #expect((1...1000).map { String($0) }.joined().count == 2893)
    }

    @Test("only what the file has as well is given back")
    func choice() {
        let text = """
            55d0a000-55d0c000 r-xp 00001000 08:01 42                         /usr/bin/a program
            Size:                  8 kB
            Rss:                   4 kB
            Anonymous:             0 kB
            55d0c000-55d0d000 r--p 00003000 08:01 42                         /usr/bin/a program
            Rss:                   4 kB
            Anonymous:             4 kB
            55d0d000-55d0e000 rw-p 00004000 08:01 42                         /usr/bin/a program
            Rss:                   4 kB
            Anonymous:             0 kB
            55d0e000-55d0f000 r--s 00004000 08:01 42                         /var/lib/shared
            55d0f000-55d10000 r-xp 00000000 00:00 0                          [vdso]
            7f00-7e00 r-xp 00000000 00:00 0                          /wrong
            nonsense
            """
        let mappings = StartupMemory.mappings(text)
        #expect(mappings.count == 5)
        #expect(mappings.filter(\.isUnchangedFile).map(\.path) == ["/usr/bin/a program"])
        #expect(mappings.first?.resident == 4096 && mappings.first?.range == 0x55d0_a000..<0x55d0_c000)
    }
}
