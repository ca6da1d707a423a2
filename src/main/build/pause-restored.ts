import { recordAudit } from "../../accounts/audit/record-audit.ts";
import type { Principal } from "../../accounts/principal.ts";
import {
  listPauses,
  type PauseCause,
  pausePayouts,
  resumePayouts,
} from "../../payouts/controls/pause.store.ts";
import type { Executor } from "../../platform/db/database.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { assertMayResume, type RestorePause } from "../../treasury/recovery/assert-may-resume.ts";
import { familyOf } from "../families/families.ts";
import type { Foundation } from "./foundation.ts";

/** Pauses the payouts of a chain because of what was found after a restore, until a person resumes them. A pause that exists keeps its time. */
export function pauseChain(
  tx: Executor,
  chain: string,
  reason: string,
  now: Instant,
): Promise<void> {
  return pause(tx, chain, { reason, now, beginsAgain: false });
}

function pause(
  tx: Executor,
  chain: string,
  cause: Pick<PauseCause, "reason" | "now" | "beginsAgain">,
): Promise<void> {
  const { draftSecondsMax } = familyOf(chain);
  const validUntil = draftSecondsMax === null ? null : addSeconds(cause.now, draftSecondsMax);
  return pausePayouts(tx, "restore", `chain/${chain}`, { ...cause, by: null, validUntil });
}

/**
 * Pauses every chain of the deployment after a restore. Each is resumed separately. The backup may contain the pause of an earlier restore: it begins
 * again, since what was read until the backup shows nothing of what was signed later.
 */
export async function pauseAllChains(
  tx: Executor,
  { enabledChains }: Pick<Foundation, "enabledChains">,
  reason: string,
  now: Instant,
): Promise<void> {
  for (const chain of enabledChains) await pause(tx, chain, { reason, now, beginsAgain: true });
}

/**
 * Lifts the pauses that a restore set, of one chain or (null) of all. Returns the chains that were paused. Rejects with
 * invalidValue while a reason to pause remains. `by` is null on the command line.
 */
export async function resumeRestored(
  tx: Executor,
  only: string | null,
  by: Principal | null,
  now: Instant,
): Promise<readonly string[]> {
  const pauses = (await listPauses(tx, now)).flatMap(({ kind, scope, since }): RestorePause[] => {
    const chain = scope.slice("chain/".length);
    const isMeant = kind === "restore" && since !== null && (only === null || chain === only);
    const byKeyImage = isMeant && familyOf(chain).keyTree.curve === "view-and-spend";
    return isMeant ? [{ chain, since, byKeyImage }] : [];
  });
  await assertMayResume(tx, pauses);
  for (const { chain } of pauses) await resumePayouts(tx, "restore", `chain/${chain}`, now);
  const chains = pauses.map(({ chain }) => chain);
  if (by !== null && chains.length > 0) {
    await recordAudit(tx, {
      by,
      action: "restore.resumed",
      object: null,
      summary: { chains: chains.join(", ") },
      at: now,
    });
  }
  return chains;
}
