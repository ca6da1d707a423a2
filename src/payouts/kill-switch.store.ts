import { type Executor, statement } from "../db/database.ts";
import type { Instant } from "../kernel/clock.ts";
import { type KillSwitch, switchId } from "./kill-switch.ts";

type StopRow = {
  readonly scope: string;
  readonly by_reconciliation: boolean;
  readonly reason: string;
  readonly set_by: string | null;
  readonly created_at: Instant;
};

const readStops = statement<StopRow>(
  "kill-switch.stops",
  `select s.scope, s.by_reconciliation, s.reason, m.name as set_by, s.created_at
   from payout_stop s
   left join member m on m.account_id = s.set_by_account_id and m.id = s.set_by_member_id
   order by s.scope, s.by_reconciliation`,
);

/** The switches that hold for everybody. */
export async function readCommonSwitches(db: Executor): Promise<readonly KillSwitch[]> {
  const rows = await db.query(readStops);
  return rows.map((row) => {
    const chain = row.scope === "all" ? null : row.scope.slice("chain/".length);
    const isByReconciliation = row.by_reconciliation;
    return {
      id: switchId(
        chain === null ? { scope: "all" } : { scope: "chain", chain, isByReconciliation },
      ),
      scope: chain === null ? "all" : "chain",
      chain,
      walletId: null,
      isByReconciliation,
      reason: row.reason,
      setBy: row.set_by,
      since: row.created_at,
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

/** Those of an account's wallets; `wallets` null: of all of them. */
export async function readWalletSwitches(
  db: Executor,
  accountId: string,
  wallets: readonly string[] | null,
): Promise<readonly KillSwitch[]> {
  const rows = await db.query(readWallets, [accountId, wallets]);
  return rows.map(({ id, reason, set_by, since }) => ({
    id: switchId({ scope: "wallet", walletId: id }),
    scope: "wallet",
    chain: null,
    walletId: id,
    isByReconciliation: false,
    reason,
    setBy: set_by,
    since,
  }));
}

const holdWallet = statement<{ id: string }>(
  "kill-switch.hold-wallet",
  "select id from wallet where account_id = $1 and id = $2 for update",
);

/** Locks the wallet for the rest of the transaction; false when the account has none of that id. */
export async function holdSwitchedWallet(
  tx: Executor,
  accountId: string,
  walletId: string,
): Promise<boolean> {
  return (await tx.query(holdWallet, [accountId, walletId])).length > 0;
}

const readStopOf = statement<{ readonly by: PayoutStopper }>(
  "kill-switch.stop-of",
  `select 'wallet' as by from wallet where account_id = $1 and id = $2 and payouts_blocked
   union all
   (select case when by_reconciliation then 'reconciliation' else 'person' end from payout_stop
    where scope in ('all', 'chain/' || $3) order by by_reconciliation)
   limit 1`,
);

/** What stops the payouts of a wallet on a chain: its own switch, a person's, or the comparison of books and chain. */
export type PayoutStopper = "wallet" | "person" | "reconciliation";

/** Null while nothing does. */
export async function readStopper(
  db: Executor,
  { accountId, walletId, chain }: Record<"accountId" | "walletId" | "chain", string>,
): Promise<PayoutStopper | null> {
  const [row] = await db.query(readStopOf, [accountId, walletId, chain]);
  return row?.by ?? null;
}
