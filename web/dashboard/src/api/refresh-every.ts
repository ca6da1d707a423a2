import { SluiceError } from "../../../../client/src/sluice-error.ts";

const retryMs = 5_000;

/**
 * The `refetchInterval` of a query: every `ms`, or never for null. After a transient error the query refetches after at most
 * 5 seconds, so that a page recovers without a reload.
 */
export function refreshEvery(ms: number | null) {
  return ({ state }: { readonly state: { readonly error: Error | null } }): number | false => {
    if (!isTransient(state.error)) return ms ?? false;
    return ms === null ? retryMs : Math.min(ms, retryMs);
  };
}

/** Whether the same request may succeed later: not a refusal, but an overloaded or unreachable service. */
function isTransient(error: Error | null): boolean {
  if (error === null) return false;
  return !(error instanceof SluiceError) || error.status >= 500 || error.status === 429;
}
