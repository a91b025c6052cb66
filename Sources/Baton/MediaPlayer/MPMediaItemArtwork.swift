public import Foundation

/// The picture of something that is played. MediaPlayer's.
///
/// The handler is called on the main thread. A picture is shown if it is PNG or JPEG data of at most 1 MiB.
public final class MPMediaItemArtwork: NSObject, Sendable {
    /// From the origin, as large as the picture is at most.
    public let bounds: CGRect
    private let handler: UncheckedMutex<(CGSize) -> UIImage>

    /// A picture that is made when it is wanted, in the size that is wanted.
    /// - Parameters:
    ///   - boundsSize: the largest size.
    ///   - requestHandler: makes it; never asked for more than `boundsSize`.
    public init(boundsSize: CGSize, requestHandler: @escaping (CGSize) -> UIImage) {
        bounds = CGRect(origin: .zero, size: boundsSize)
        handler = UncheckedMutex(requestHandler)
        super.init()
    }

    /// A picture in its own size. Deprecated at Apple.
    public convenience init(image: UIImage) { self.init(boundsSize: image.size) { _ in image } }

    /// The picture, in a size that is at most this and at most ``bounds``, where the app can make it so.
    /// - Returns: nil for an invalid size.
    public func image(at size: CGSize) -> UIImage? {
        guard size.width > 0, size.height > 0, size.width.isFinite, size.height.isFinite else { return nil }
        let limited = CGSize(width: min(size.width, bounds.width), height: min(size.height, bounds.height))
        // Not under the lock: the handler is the app's.
        let make = handler.withLock { $0 }
        return make(limited)
    }
}
