import { addSeconds, type Clock, type Instant } from "../../platform/kernel/clock.ts";
import type { AccessChanges } from "../access-changes.ts";
import type { PrincipalRecord } from "../principal.store.ts";
import type { Session } from "./access-token.ts";

/** How long a process reuses what it read about a program. */
export const reusedSeconds = 5;
const sessionsMax = 10_000;

type Kept = { readonly record: PrincipalRecord; readonly until: Instant };

/**
 * What was read about programs in the last seconds, for requests that change nothing. Forgotten as a whole as soon as this process
 * changes anything about callers. People, and programs with restricted rights, are never kept: a right that another process has
 * just granted must be usable at once.
 */
export type ReusedPrincipals = {
  /** Null: to be read. */
  readonly find: (session: Session) => PrincipalRecord | null;
  /** A mark of the moment, taken before reading. */
  readonly mark: () => number;
  /** Keeps what was read since `mark`, unless something has changed in the meantime. */
  readonly keep: (session: Session, record: PrincipalRecord, mark: number) => void;
};

export function createReusedPrincipals(clock: Clock, changes: AccessChanges): ReusedPrincipals {
  const kept = new Map<string, Kept>();
  let changeCount = 0;
  changes.subscribe(() => {
    changeCount += 1;
    kept.clear();
  });
  return {
    find: ({ familyId }) => {
      const found = kept.get(familyId);
      return found !== undefined && clock.now() < found.until ? found.record : null;
    },
    mark: () => changeCount,
    keep: (session, record, mark) => {
      const { principal } = record;
      if (mark !== changeCount || session.credentialId === null) return;
      if (principal.wallets !== "all" || !principal.accountIsReady) return;
      if (kept.size >= sessionsMax) kept.clear();
      kept.set(session.familyId, { record, until: addSeconds(clock.now(), reusedSeconds) });
    },
  };
}
