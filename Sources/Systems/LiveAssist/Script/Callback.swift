import Machines

/// The callbacks of the vendor's delegates and the event that each of them is here.
///
/// Every event carries the name in its field `callback`, empty where the application has set no such delegate.
struct Callback: Hashable, Sendable {
    /// The delegate or the SDK that has the callback.
    let owner: String
    let name: String
    let kind: EventKind

    private init(_ owner: String, _ name: String, _ kind: EventKind) {
        self.owner = owner
        self.name = name
        self.kind = kind
    }

    /// The delegates of the iOS SDK.
    static let consumer = [
        Callback("AssistSDKDelegate", "cobrowseActiveDidChange(to:)", .cobrowseActive),
        Callback("AssistSDKDelegate", "supportCallDidEnd()", .supportEnded),
        Callback("AssistErrorReporter", "assistSDKDidEncounterError(_:)", .error),
        Callback("AgentCobrowseDelegate", "agentJoinedSession(_:)", .agentJoinedSession),
        Callback("AgentCobrowseDelegate", "agentRequestedCobrowse(_:)", .cobrowseRequested),
        Callback("AgentCobrowseDelegate", "agentJoinedCobrowse(_:)", .agentJoinedCobrowse),
        Callback("AgentCobrowseDelegate", "agentLeftCobrowse(_:)", .agentLeftCobrowse),
        Callback("AgentCobrowseDelegate", "agentLeftSession(_:)", .agentLeftSession),
        Callback("ScreenShareRequestedDelegate", "assistSDKScreenShareRequested(_:deny:)", .cobrowseRequested),
        Callback("ConnectionStatusDelegate", "onConnect()", .connected),
        Callback("ConnectionStatusDelegate", "onDisconnect(_:reason:)", .disconnected),
        Callback("ConnectionStatusDelegate", "willRetry(inSeconds:attempt:of:connector:)", .reconnecting),
        Callback("ConnectionStatusDelegate", "onTerminated(_:)", .terminated),
        Callback("PushAuthorizationDelegate", "displaySharedDocumentRequested(_:allow:deny:)", .documentRequested),
        Callback("DocumentDelegate", "onOpened(_:)", .documentOpened),
        Callback("DocumentDelegate", "onClosed(_:by:)", .documentClosed),
        Callback("DocumentDelegate", "onError(_:reason:)", .documentError),
        Callback("SharedDocumentDownloadDelegate", "documentFinished(downloading:)", .completed),
        Callback("SharedDocumentDownloadDelegate", "documentFailed(toDownload:)", .completed),
        Callback("ConsumerDocumentDelegate", "onConsumerDocError(_:reason:)", .documentError),
        Callback("ConsumerDocumentDelegate", "onConsumerDocClosed(_:by:)", .documentClosed),
        Callback("AnnotationDelegate", "assistSDKWillAddAnnotation(_:)", .annotationAdding),
        Callback("AnnotationDelegate", "assistSDKDidAddAnnotation(_:)", .annotationAdded),
        Callback("AnnotationDelegate", "assistSDKDidClearAnnotations(_:)", .annotationsCleared),
    ]

    /// The callbacks of the agent's web console.
    static let agent = [
        Callback("AgentSDK", "consumerJoined", .consumerJoined), Callback("AgentSDK", "consumerLeft", .consumerLeft),
        Callback("AgentSDK", "consumerEndedSupport", .ended), Callback("AgentSDK", "callEnded", .supportEnded),
        Callback("AgentSDK", "connectionEstablished", .connected),
        Callback("AgentSDK", "connectionLost", .terminated),
        Callback("AgentSDK", "connectionRetry", .reconnecting),
        Callback("AgentSDK", "connectionReestablished", .reconnected),
        Callback("AgentSDK", "screenShareActive", .cobrowseActive),
        Callback("AgentSDK", "screenShareRejected", .cobrowseRejected), Callback("AgentSDK", "zoomStarted", .zoom),
        Callback("AgentSDK", "zoomEnded", .zoom), Callback("AgentSDK", "form", .form),
        Callback("AgentSDK", "snapshot", .snapshot), Callback("AgentSDK", "onError", .error),
        Callback("SharedDocument", "succeeded", .documentResult), Callback("SharedDocument", "failed", .documentResult),
        Callback("SharedDocument", "rejected", .documentResult), Callback("SharedDocument", "closed", .documentResult),
    ]
}
