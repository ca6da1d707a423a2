import type { Exchanged } from "./exchange.ts";
import type { Recover } from "./send-with-retries.ts";
import { SluiceError } from "./sluice-error.ts";

type Get = (path: string) => Promise<Exchanged>;

/**
 * For routes whose idempotency key makes a payout or a batch: 409/1004 names it, so that a lost response can be read again. `keyed` is the
 * route's path with its parameters filled in: `/payout/`, `/payout-batch/`, or `/deposit/5/resolve/`, whose response is the deposit. (A
 * repeated `POST /deposit/` returns the first deposit by itself.)
 */
export function recoverByKey(keyed: string, query: string, get: Get): Recover {
  return async (error) => {
    if (!(error instanceof SluiceError) || error.status !== 409 || error.code !== "1004")
      return null;
    const { payout_id: payoutId, payout_batch_id: batchId } = error.meta;
    const createdId = payoutId ?? batchId;
    if (typeof createdId !== "string") return null;
    const acted = /^(\/[^/]+\/[^/]+\/)[^/]+\/$/.exec(keyed)?.[1];
    const found = await get(`${acted ?? `${keyed}${createdId}/`}${query}`);
    const document = found.document as { readonly meta?: object };
    const meta = acted === undefined ? document.meta : { ...document.meta, payout_id: createdId };
    return { ...found, document: { ...document, ...(meta === undefined ? {} : { meta }) } };
  };
}

/** For `DELETE`: a 404 on a retry means that the attempt with the lost response deleted the resource. */
export const recoverRemoved: Recover = (error) => {
  const isGone = error instanceof SluiceError && error.status === 404;
  return Promise.resolve(isGone ? { status: 204, headers: new Headers(), document: null } : null);
};
