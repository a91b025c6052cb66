import BatonCore
import Testing

struct LocalHostTests {
    @Test(
        "Addresses to listen on, in whatever form",
        arguments: ["0.0.0.0", "0", "::", "[::]", "0:0:0:0:0:0:0:0", "::ffff:0.0.0.0"])
    func unspecified(host: String) {
        #expect(LocalHost(host: host) == .unspecified)
    }

    @Test(
        "Addresses and names of the machine itself, in whatever form",
        arguments: [
            "localhost", "LOCALHOST.", "cloud.localhost", "127.0.0.1", "127.1", "127.255.0.9", "::1", "[::1]",
            "::ffff:127.0.0.1",
        ])
    func loopback(host: String) {
        #expect(LocalHost(host: host) == .loopback)
    }

    @Test(
        "Anything else leads elsewhere",
        arguments: [
            "", "cloud.example", "localhost.example", "10.0.0.1", "128.0.0.1", "126.255.255.255", "255.255.255.255",
            "1.0.0.0", "fe80::1", "::2", "::ffff:10.0.0.1", "1::",
        ])
    func elsewhere(host: String) {
        #expect(LocalHost(host: host) == nil)
    }
}
