import { type CallbackDocument, verifyCallback } from "sluice-client/verify-callback";

/**
 * Answers one callback, in any runtime whose servers speak Request and Response (Deno, Bun, workers, most frameworks).
 * `handleOnce` acts on a callback and remembers its id in the same transaction, and does nothing for an id that it knows.
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
