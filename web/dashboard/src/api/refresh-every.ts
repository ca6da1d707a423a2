import { SluiceError } from "../../../../client/src/sluice-error.ts";

/** How soon something is asked again that could not be read, though it may be the next time. */
const againMs = 5_000;

/**
 * How often a query is asked again while it is looked at: every `ms`, null not at all. After a failure that may pass it is asked soon,
 * so that no page stays empty until its turn comes.
 */
export function refreshEvery(ms: number | null) {
  return ({ state }: { readonly state: { readonly error: Error | null } }): number | false => {
    if (!mayPass(state.error)) return ms ?? false;
    return ms === null ? againMs : Math.min(ms, againMs);
  };
}

/** A refusal says the same the next time; a service that is out of breath, or out of reach, may answer. */
function mayPass(error: Error | null): boolean {
  if (error === null) return false;
  return !(error instanceof SluiceError) || error.status >= 500 || error.status === 429;
}
