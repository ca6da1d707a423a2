import { type CallbackDocument, verifyCallback } from "sluice-client/verify-callback";

/**
 * Handles one callback in any runtime with `Request` and `Response` (Deno, Bun, workers, most frameworks). `handleOnce` must store the
 * callback's id in the transaction that processes it, and ignore known ids.
 */
export async function receiveCallback(
  request: Request,
  webhookSecret: string,
  handleOnce: (id: string, document: CallbackDocument) => Promise<void>,
): Promise<Response> {
  const body = new Uint8Array(await request.arrayBuffer());
  const verdict = await verifyCallback({ body, headers: request.headers }, { webhookSecret });
  if (!verdict.isGenuine) return new Response(verdict.reason, { status: 400 });
  await handleOnce(verdict.id ?? "", verdict.document);
  return new Response(null, { status: 200 });
}
