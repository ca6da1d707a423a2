import type { Deposit } from "./api-types.gen.ts";
import type { Exchanged } from "./exchange.ts";
import type { Recover } from "./send-patiently.ts";
import { SluiceError } from "./sluice-error.ts";

type Get = (path: string) => Promise<Exchanged>;

/**
 * For routes that take an idempotency key: the answer of 409/1004 names the payout that the key made, so that a lost answer
 * can be read again. `keyed` is the route's path with its parameters filled in: `/payout/`, or `/deposit/5/resolve/`, whose
 * answer is the deposit.
 */
export function recoverByKey(keyed: string, query: string, get: Get): Recover {
  return async (error) => {
    if (!(error instanceof SluiceError) || error.status !== 409 || error.code !== "1004")
      return null;
    const payoutId = error.meta["payout_id"];
    if (typeof payoutId !== "string") return null;
    const acted = /^(\/[^/]+\/[^/]+\/)[^/]+\/$/.exec(keyed)?.[1];
    const found = await get(`${acted ?? `${keyed}${payoutId}/`}${query}`);
    const document = found.document as { readonly meta?: object };
    const meta = acted === undefined ? document.meta : { ...document.meta, payout_id: payoutId };
    return { ...found, document: { ...document, ...(meta === undefined ? {} : { meta }) } };
  };
}

/** How far the service's clock, told in whole seconds, may differ from what is reckoned from it. */
const toleranceMs = 2_000;

/**
 * For `POST /deposit/`, which takes no key: whether the attempt whose answer was lost made a deposit is seen by looking for one
 * of its wallet with the same `tracking_id`, made since the first attempt by the service's own clock. Where that clock cannot be
 * seen, the failure is thrown on: an older deposit may have the same `tracking_id`.
 */
export function recoverByTracking(
  sought: { readonly trackingId: string; readonly walletId: string },
  query: string,
  get: Get,
): Recover {
  return async (error, elapsedMs) => {
    const { trackingId, walletId } = sought;
    const filters = `filter[tracking_id]=${encodeURIComponent(trackingId)}&filter[wallet]=${encodeURIComponent(walletId)}`;
    const listed = await get(`/deposit/?${filters}&sort=-created_at&page[size]=100`);
    const serviceNowMs = Date.parse(listed.headers.get("date") ?? "");
    if (Number.isNaN(serviceNowMs)) throw error;
    const since = serviceNowMs - elapsedMs() - toleranceMs;
    const { data } = listed.document as { readonly data: readonly Deposit[] };
    const made = data.find(
      ({ attributes }) =>
        attributes.tracking_id === trackingId && Date.parse(attributes.created_at) >= since,
    );
    return made === undefined ? null : get(`/deposit/${made.id}/${query}`);
  };
}

/** For `DELETE`: what is gone when it is asked again was removed by the attempt whose answer was lost. */
export const recoverRemoved: Recover = (error) => {
  const isGone = error instanceof SluiceError && error.status === 404;
  return Promise.resolve(isGone ? { status: 204, headers: new Headers(), document: null } : null);
};
