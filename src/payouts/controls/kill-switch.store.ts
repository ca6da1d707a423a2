import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { type KillSwitch, switchId } from "./kill-switch.ts";
import type { WalletPause } from "./pause.ts";

type StopRow = {
  readonly scope: string;
  readonly kind: KillSwitch["kind"];
  readonly reason: string;
  readonly set_by: string | null;
  readonly created_at: Instant;
  readonly stops_reading: boolean;
};

const readStops = statement<StopRow>(
  "kill-switch.stops",
  `select s.scope, s.kind, s.reason, m.name as set_by, s.created_at, s.stops_reading
   from payout_stop s
   left join member m on m.account_id = s.set_by_account_id and m.id = s.set_by_member_id
   order by s.scope, s.kind`,
);

/** The pauses that apply to every account. */
export async function readCommonSwitches(db: Executor): Promise<readonly KillSwitch[]> {
  const rows = await db.query(readStops);
  return rows.map((row) => {
    const chain = row.scope === "all" ? null : row.scope.slice("chain/".length);
    const { kind } = row;
    return {
      id: switchId(chain === null ? { scope: "all", kind } : { scope: "chain", chain, kind }),
      kind,
      scope: chain === null ? "all" : "chain",
      chain,
      walletId: null,
      reason: row.reason,
      setBy: row.set_by,
      since: row.created_at,
      stopsCrediting: row.stops_reading,
    };
  });
}

type WalletRow = {
  readonly id: string;
  readonly reason: string | null;
  readonly set_by: string | null;
  readonly since: Instant | null;
};

const readWallets = statement<WalletRow>(
  "kill-switch.wallets",
  `select w.id, w.payouts_blocked_reason as reason, m.name as set_by, w.payouts_blocked_at as since
   from wallet w left join member m on m.account_id = w.account_id and m.id = w.payouts_blocked_by
   where w.account_id = $1 and w.payouts_blocked and ($2::bigint[] is null or w.id = any($2::bigint[]))
   order by w.id`,
);

/** The paused wallets of an account; `wallets` null includes all of them. */
export async function readWalletSwitches(
  db: Executor,
  accountId: string,
  wallets: readonly string[] | null,
): Promise<readonly KillSwitch[]> {
  const rows = await db.query(readWallets, [accountId, wallets]);
  return rows.map(({ id, reason, set_by, since }) => ({
    id: switchId({ scope: "wallet", walletId: id }),
    kind: "kill_switch",
    scope: "wallet",
    chain: null,
    walletId: id,
    reason,
    setBy: set_by,
    since,
    stopsCrediting: false,
  }));
}

const holdWallet = statement<{ id: string }>(
  "kill-switch.hold-wallet",
  "select id from wallet where account_id = $1 and id = $2 for update",
);

/** Locks the wallet until the transaction ends; false if the account has no such wallet. */
export async function lockWallet(
  tx: Executor,
  accountId: string,
  walletId: string,
): Promise<boolean> {
  return (await tx.query(holdWallet, [accountId, walletId])).length > 0;
}

const readPauseStatement = statement<WalletPause>(
  "kill-switch.read-wallet-pause",
  `select payouts_blocked as "payoutsBlocked", payouts_blocked_reason as "payoutsBlockedReason"
   from wallet where account_id = $1 and id = $2`,
);

/** Whether payouts of the wallet are paused, and why. */
export async function readWalletPause(
  db: Executor,
  { accountId, walletId }: Record<"accountId" | "walletId", string>,
): Promise<WalletPause> {
  const [row] = await db.query(readPauseStatement, [accountId, walletId]);
  return row ?? { payoutsBlocked: false, payoutsBlockedReason: null };
}
