package import AppLink

extension CKContainer {
    /// The way of the mirror of an app's database (`BatonRecords`) to the person's own database of this container.
    package var mirrorLink: RecordsLink { RecordsLink(link: AppRuntime.current.link, container: name) }
}
