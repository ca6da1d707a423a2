import { administratorsOnly } from "../../accounts/administrators-only.ts";
import { recordAudit } from "../../accounts/audit/record-audit.ts";
import { assertOperator, isOperator } from "../../accounts/operator.ts";
import { mayView, type Principal, visibleWallets } from "../../accounts/principal.ts";
import type { Database, Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock, Instant } from "../../platform/kernel/clock.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { readMemberNames } from "../approve/approve.store.ts";
import { pauseWallet, resumeWallet } from "./controls.store.ts";
import { lockWallet, readCommonSwitches, readWalletSwitches } from "./kill-switch.store.ts";
import { type KillSwitch, type NamedSwitch, parseSwitchId, switchId } from "./kill-switch.ts";
import { pausePayouts, resumePayouts } from "./pause.store.ts";
import { type PauseScope, publicReason, type StoredPauseKind } from "./pause.ts";

export type KillSwitchContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly enabledChains: ReadonlySet<string>;
};

/** A request to pause payouts. */
export type SwitchRequest = {
  readonly scope: "all" | "chain" | "wallet";
  readonly chain: string | null;
  readonly walletId: string | null;
  readonly reason: string;
  /** Only for a chain: also credits nothing there. */
  readonly stopsCrediting: boolean;
};

/**
 * Lists the pauses that concern the caller's account: those of every account and those of the wallets that the caller
 * may view. Every role sees them, because their payouts are rejected with the same reasons. Only operators see who
 * paused every account and what reconciliation found.
 */
export async function listKillSwitches(
  db: Executor,
  principal: Principal,
): Promise<readonly KillSwitch[]> {
  const [common, own, operates] = await Promise.all([
    readCommonSwitches(db),
    readWalletSwitches(db, principal.accountId, visibleWallets(principal)),
    isOperator(db, principal),
  ]);
  const shown = operates ? common : common.map(forTenant);
  return [...shown, ...own];
}

function forTenant(killSwitch: KillSwitch): KillSwitch {
  return {
    ...killSwitch,
    setBy: null,
    reason: publicReason({ kind: killSwitch.kind, reason: killSwitch.reason ?? "" }),
  };
}

/**
 * Pauses payouts in the scope. Rejects with permissionDenied, and with invalidValue for a chain that is not followed
 * or a wallet of another account.
 */
export async function turnKillSwitchOn(
  { db, clock, enabledChains }: KillSwitchContext,
  principal: Principal,
  { scope, chain, walletId, reason, stopsCrediting }: SwitchRequest,
): Promise<KillSwitch> {
  requireSwitchAdministrator(principal);
  const named = parseSwitchRequest(scope, chain, walletId, enabledChains);
  if (stopsCrediting && named.scope !== "chain")
    reject("invalidValue", "Set stops_crediting only if scope is chain.", creditingSource);
  if (named.scope === "wallet") assertOwnWallet(principal, named.walletId);
  else await assertOperator(db, principal);
  const { accountId, memberId } = principal;
  const cause = {
    reason,
    by: { accountId, memberId },
    now: clock.now(),
    stopsReading: stopsCrediting,
  };
  await db.transaction(async (tx) => {
    if (named.scope !== "wallet") await pausePayouts(tx, named.kind, pauseScope(named), cause);
    else {
      if (!(await lockWallet(tx, accountId, named.walletId))) rejectWallet();
      await pauseWallet(tx, named.walletId, cause);
    }
    await recordAudit(tx, {
      by: principal,
      action: "kill_switch.turned_on",
      at: cause.now,
      object: { type: "kill-switch", id: switchId(named) },
      summary: stopsCrediting ? { reason, stops_crediting: true } : { reason },
    });
  });
  return present(await findKillSwitch(db, principal, switchId(named)), "the switch just turned");
}

/** Why a person cannot end a pause of this kind; null if one can. */
const refusals: Readonly<Record<StoredPauseKind, string | null>> = {
  kill_switch: null,
  reconciliation:
    "Reconciliation paused these payouts. They resume when ledger and chain match again.",
  restore: "A restore paused these payouts. Resume them with `sluice resume`.",
};

/**
 * Resumes payouts that a person paused; null if the switch is not on or not the caller's. Rejects with
 * permissionDenied, also for pauses of other kinds.
 */
export async function turnKillSwitchOff(
  { db, clock }: KillSwitchContext,
  principal: Principal,
  id: string,
): Promise<KillSwitch | null> {
  requireSwitchAdministrator(principal);
  const on = await findKillSwitch(db, principal, id);
  if (on === null) return null;
  const named = present(parseSwitchId(id), "the id of a switch that is on");
  const refusal = refusals[on.kind];
  if (refusal !== null) reject("permissionDenied", refusal);
  if (named.scope !== "wallet") await assertOperator(db, principal);
  const now = clock.now();
  const isOff = await db.transaction(async (tx) => {
    const turned =
      named.scope === "wallet"
        ? await resumeOwnWallet(tx, principal, named.walletId, now)
        : await resumePayouts(tx, named.kind, pauseScope(named), now);
    if (turned) {
      await recordAudit(tx, {
        by: principal,
        action: "kill_switch.turned_off",
        at: now,
        object: { type: "kill-switch", id },
        summary: {},
      });
    }
    return turned;
  });
  return isOff ? on : null;
}

async function resumeOwnWallet(
  tx: Executor,
  { accountId, memberId }: Principal,
  walletId: string,
  now: Instant,
): Promise<boolean> {
  const names = await readMemberNames(tx, accountId, [memberId]);
  return (await resumeWallet(tx, walletId, names.get(memberId)?.name ?? null, now)) !== null;
}

/** The switch with that id, if it is on and the caller may see it. */
export async function findKillSwitch(
  db: Executor,
  principal: Principal,
  id: string,
): Promise<KillSwitch | null> {
  const all = await listKillSwitches(db, principal);
  return all.find((killSwitch) => killSwitch.id === id) ?? null;
}

function parseSwitchRequest(
  scope: SwitchRequest["scope"],
  chain: string | null,
  walletId: string | null,
  enabledChains: ReadonlySet<string>,
): NamedSwitch {
  if (scope !== "chain" && chain !== null)
    reject("invalidValue", "Set chain only if scope is chain.", chainSource);
  if (scope !== "wallet" && walletId !== null)
    reject("invalidValue", "Set wallet only if scope is wallet.", walletSource);
  if (scope === "all") return { scope, kind: "kill_switch" };
  if (scope === "wallet") {
    if (walletId === null || !isObjectId(walletId)) rejectWallet();
    return { scope, walletId };
  }
  if (chain === null || !enabledChains.has(chain))
    reject(
      "invalidValue",
      "This must be the alpha code of a chain that this deployment follows.",
      chainSource,
    );
  return { scope, chain, kind: "kill_switch" };
}

const chainSource = { pointer: "/data/attributes/chain" };
const creditingSource = { pointer: "/data/attributes/stops_crediting" };
const walletSource = { pointer: "/data/relationships/wallet" };

function pauseScope(named: Exclude<NamedSwitch, { readonly scope: "wallet" }>): PauseScope {
  return named.scope === "all" ? "all" : `chain/${named.chain}`;
}

/** Rejects with `permissionDenied` unless the caller is Owner or Admin. */
export const requireSwitchAdministrator = administratorsOnly(
  "Only an Owner or Admin can turn kill switches on and off.",
);

function assertOwnWallet(principal: Principal, walletId: string): void {
  if (!mayView(principal, walletId)) rejectWallet();
}

function rejectWallet(): never {
  return reject("invalidValue", "This must be the id of one of your wallets.", walletSource);
}
