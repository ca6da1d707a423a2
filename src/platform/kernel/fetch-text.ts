/** A request to an external service; the body is sent unchanged. */
export type TextRequest = {
  readonly url: string;
  /** Default: GET without a body. */
  readonly post?: { readonly contentType: string; readonly body: string };
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * Requests an external HTTP service and resolves with the body of its 200 answer. Rejects with `Unavailable` for anything else: another
 * status, a redirect, a timeout, too much text, an abort. Passed in, so that tests can answer without a network.
 */
export type FetchText = (request: TextRequest, signal: AbortSignal) => Promise<string>;
