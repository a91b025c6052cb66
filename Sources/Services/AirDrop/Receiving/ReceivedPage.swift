import BatonCore

/// The page that opens by itself when what was sent is accepted.
///
/// It is the one thing that was sent, so that the question showed it. None opens of several links, or beside files: a
/// person who takes a photo has not asked for pages. Links of other schemes never open: a scheme may do anything.
struct ReceivedPage {
    let page: BatonCore.WebPage
    private let isFromOwnDevice: Bool

    init?(_ question: AirDropQuestion) {
        guard question.names.isEmpty, question.itemCount == 1, question.links.count == 1,
            let link = question.links.first,
            let page = try? BatonCore.WebPage(link)
        else { return nil }
        self.page = page
        isFromOwnDevice = question.device != nil
    }

    /// Pages of this machine never open, those of a private network for own devices only: a router takes orders from
    /// any page that is opened near it.
    /// - Parameter resolving: the addresses of a host.
    func mayOpen(resolving: (String) async -> [String]) async -> Bool {
        switch page.reach {
        case .internet: return true
        case .thisMachine: return false
        case .privateNetwork: return isFromOwnDevice
        case .name(let host):
            let addresses = await resolving(host)
            guard !addresses.contains(where: { LocalHost(host: $0) != nil }) else { return false }
            return isFromOwnDevice || addresses.allSatisfy(PublicAddress.contains)
        }
    }
}
