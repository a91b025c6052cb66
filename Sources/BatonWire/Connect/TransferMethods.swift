/// `baton.link.v1.TransferService`
package enum TransferMethods {
    private static let service = "baton.link.v1.TransferService"

    package static let offerTransfer = ConnectMethod<
        Baton_Link_V1_OfferTransferRequest, Baton_Link_V1_OfferTransferResponse
    >(service, "OfferTransfer")
    package static let readFiles = ConnectMethod<Baton_Link_V1_ReadFilesRequest, Baton_Link_V1_FileParts>(
        service, "ReadFiles")
    package static let finishTransfer = ConnectMethod<
        Baton_Link_V1_FinishTransferRequest, Baton_Link_V1_FinishTransferResponse
    >(service, "FinishTransfer")
}
