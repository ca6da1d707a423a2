/** One request to a service outside; the body is sent as it stands. */
export type TextRequest = {
  readonly url: string;
  /** Default: GET without a body. */
  readonly post?: { readonly contentType: string; readonly body: string };
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * Asks an outside HTTP service and resolves with the text of its 200 answer. Throws `Unavailable` for anything else: another
 * status, a redirect, silence, too much text, `signal`. Handed in, so that tests answer without a network.
 */
export type FetchText = (request: TextRequest, signal: AbortSignal) => Promise<string>;
