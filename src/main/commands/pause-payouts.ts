import { recordAudit } from "../../accounts/audit/record-audit.ts";
import { pauseWallet, resumeWallet } from "../../payouts/controls/controls.store.ts";
import { switchId } from "../../payouts/controls/kill-switch.ts";
import {
  listPauses,
  type PauseCause,
  pausePayouts as recordPause,
  resumePayouts,
} from "../../payouts/controls/pause.store.ts";
import { type PauseScope, pauseKindNames } from "../../payouts/controls/pause.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import type { Foundation } from "../build/foundation.ts";
import { resumeRestored } from "../build/pause-restored.ts";
import type { CommandContext } from "./command-context.ts";
import { withDeployment } from "./with-deployment.ts";

/** What to pause or resume: everything, one chain (alpha code of its coin) or one wallet. */
export type PauseTarget =
  | { readonly kind: "all" }
  /** `stopsReading` also stops reading the chain, so that nothing is credited there. */
  | { readonly kind: "chain"; readonly chain: string; readonly stopsReading?: boolean }
  | { readonly kind: "wallet"; readonly walletId: string };

/**
 * `sluice pause`: accepts no new payouts and signs none until `sluice resume`. Signed payouts continue, since the
 * network may already have them. Prints all pauses.
 */
export async function pausePayouts(
  configFile: string,
  what: PauseTarget,
  reason: string,
  context: CommandContext,
): Promise<void> {
  const stopsReading = what.kind === "chain" && what.stopsReading === true;
  await withDeployment(configFile, context, async (foundation) => {
    const cause: PauseCause = { reason, by: null, now: foundation.clock.now(), stopsReading };
    if (what.kind === "wallet") await switchWallet(foundation, what.walletId, cause, context);
    else {
      const scope = scopeOf(foundation, what);
      await foundation.db.transaction((tx) => recordPause(tx, "kill_switch", scope, cause));
    }
    await printPauses(foundation, context);
  });
}

/**
 * `sluice resume`: ends pauses of `sluice pause` and of a restore. Rejects if there are none in that scope, or while
 * a restored deployment is not safe to resume.
 */
export async function resumePausedPayouts(
  configFile: string,
  what: PauseTarget,
  context: CommandContext,
): Promise<void> {
  await withDeployment(configFile, context, async (foundation) => {
    if (what.kind === "wallet") await switchWallet(foundation, what.walletId, null, context);
    else await resume(foundation, what);
    await printPauses(foundation, context);
  });
}

async function resume(
  foundation: Foundation,
  what: Exclude<PauseTarget, { readonly kind: "wallet" }>,
): Promise<void> {
  const { db, clock } = foundation;
  const scope = scopeOf(foundation, what);
  await db.transaction(async (tx) => {
    const only = what.kind === "chain" ? what.chain : null;
    const now = clock.now();
    const restored = await resumeRestored(tx, only, null, now);
    const isOff = await resumePayouts(tx, "kill_switch", scope, now);
    if (restored.length === 0 && !isOff)
      throw new Error("payouts are not paused there by a kill switch or a restore");
  });
}

function scopeOf(
  { enabledChains }: Foundation,
  what: Exclude<PauseTarget, { readonly kind: "wallet" }>,
): PauseScope {
  if (what.kind === "all") return "all";
  if (!enabledChains.has(what.chain))
    throw new Error(`this deployment doesn't follow the chain ${what.chain}`);
  return `chain/${what.chain}`;
}

async function switchWallet(
  { db, clock }: Foundation,
  walletId: string,
  cause: PauseCause | null,
  { print }: CommandContext,
): Promise<void> {
  const isThere =
    isObjectId(walletId) &&
    (await db.transaction(async (tx) => {
      const accountId =
        cause === null
          ? await resumeWallet(tx, walletId, null, clock.now())
          : await pauseWallet(tx, walletId, cause);
      if (accountId === null) return false;
      await recordAudit(tx, {
        by: { accountId },
        at: clock.now(),
        action: cause === null ? "kill_switch.turned_off" : "kill_switch.turned_on",
        object: { type: "kill-switch", id: switchId({ scope: "wallet", walletId }) },
        summary: cause === null ? {} : { reason: cause.reason },
      });
      return true;
    }));
  if (!isThere) throw new Error(`there is no wallet ${walletId}`);
  print(`wallet/${walletId}: ${cause !== null ? "paused" : "not paused"}`);
}

async function printPauses({ db, clock }: Foundation, { print }: CommandContext): Promise<void> {
  const pauses = await listPauses(db, clock.now());
  for (const { scope, kind, reason } of pauses)
    print(`${scope}: paused (${pauseKindNames[kind]}): ${reason}`);
  if (pauses.length === 0) print("No chain is paused");
}
