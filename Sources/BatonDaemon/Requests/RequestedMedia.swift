import BatonCore
import RequestGrammar
import Requests

/// Music and films that a sentence asks for.
struct RequestedMedia: RequestMedia {
    func perform(_ action: RequestMeaning.MediaAction, media: String?) async throws {
        throw BatonError(
            .unimplemented, reason: "no_media", "Baton controls no player on this device.")
    }
}
