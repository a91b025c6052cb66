/// Going to a place (P-27).
extension MKMapItem {
    /// Has a navigation app lead to the item: see ``openMaps(with:launchOptions:)``.
    @discardableResult
    public func openInMaps(launchOptions: [String: Any]? = nil) -> Bool {
        Self.openMaps(with: [self], launchOptions: launchOptions)
    }

    /// Has a navigation app lead to the item. False if there is none.
    public func openInMaps(launchOptions: [String: Any]? = nil, from scene: UIScene?) async -> Bool {
        await Self.openMaps(with: [self], launchOptions: launchOptions, from: scene)
    }

    /// Has a navigation app lead to an item, or from the first of several to the last.
    ///
    /// It is the routing app that the person has chosen, which is given the request as ``MKDirections/Request`` (P-40); where
    /// there is none, the desktop's program for addresses of the form `geo:`. Such a program shows the last item.
    ///
    /// - Parameter launchOptions: `MKLaunchOptionsDirectionsModeKey` counts; the others have no effect.
    /// - Returns: whether there is such an app. It opens after that.
    @discardableResult
    public class func openMaps(with mapItems: [MKMapItem], launchOptions: [String: Any]? = nil) -> Bool {
        guard let opening = MapsOpening(mapItems, options: launchOptions) else { return false }
        let runtime = AppRuntime.current
        guard let way = runtime.wayToMaps(opening) else { return false }
        // The caller has its answer; this ends with the deadline of its calls.
        Task { _ = await runtime.openMaps(opening, way) }
        return true
    }

    /// As ``openMaps(with:launchOptions:)``, once the app has opened. False if there is none.
    public class func openMaps(
        with mapItems: [MKMapItem], launchOptions: [String: Any]? = nil, from scene: UIScene?
    ) async -> Bool {
        guard let opening = MapsOpening(mapItems, options: launchOptions) else { return false }
        return await AppRuntime.current.openMaps(opening)
    }
}
