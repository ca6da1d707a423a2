import type { ChainWriter } from "../../chains/paying-port.ts";
import { present } from "../../platform/kernel/assert.ts";
import { type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import { readAccountInUse } from "../../treasury/spends/account-in-use.ts";
import { createSpend } from "../../treasury/spends/create-spend.ts";
import { findFeeCeiling } from "../../treasury/spends/fee-ceiling.ts";
import type { NewSpend } from "../../treasury/spends/spend.ts";
import type { Payout } from "../payout.ts";
import type { BatchWaits } from "./choose-groups.ts";
import { commitOnlyIf } from "./commit-only-if.ts";
import { paymentOf } from "./paid-payouts.ts";
import type { SendContext } from "./send-context.ts";

type Account = NonNullable<ChainWriter["account"]>;

/** `alone`: payouts that the signer refused to pay with others. `setUpsAt`: when set-ups of the account were begun. */
export type GroupMemory = { readonly alone: Set<string>; setUpsAt: readonly Instant[] };

/** How the account pays now. */
export type AccountMode = {
  readonly pendingMax: number | null;
  /** Payouts with the same key may share a transaction; null: alone. */
  readonly keysOf: (payouts: readonly Payout[]) => Promise<ReadonlyMap<string, string | null>>;
};

/** A set-up that did not help is tried again after this time; until then payouts are paid singly. */
const setUpPauseSeconds = 3_600;
/** A set-up may take several transactions. */
const setUpsMax = 3;

/**
 * How the account can pay these payouts: several in one transaction if it can, and if several are waiting, or one that waits for others. Null: they wait until the
 * account is set up for that, which needs all of its transactions in blocks first. If it cannot be set up now, each is paid alone.
 */
export async function findAccountMode(
  context: SendContext,
  account: Account,
  memory: GroupMemory,
  { payouts, waits }: { readonly payouts: readonly Payout[]; readonly waits: BatchWaits },
  signal: AbortSignal,
): Promise<AccountMode | null> {
  const { batching } = account;
  const singly: AccountMode = {
    pendingMax: null,
    keysOf: (asked) => Promise.resolve(new Map(asked.map(({ id }) => [id, null]))),
  };
  if (batching === undefined) return singly;
  const address = present(context.hot, `the paying account of ${context.chain}`);
  const state = await batching.state(address, signal);
  if (state.kind === "needsSetUp") {
    const areSeveral = payouts.length > 1 || payouts.some(({ accountId }) => waits.has(accountId));
    const { setsUpBatching, batchMax } = context.sending;
    const isWanted = areSeveral && setsUpBatching && batchMax !== 1;
    return isWanted && (await setUp(context, account, memory, address, signal)) ? null : singly;
  }
  return {
    pendingMax: state.pendingMax,
    keysOf: async (asked) => {
      const shared = asked.filter(({ id }) => !memory.alone.has(id));
      const payments = shared.map((payout) => paymentOf(payout, context.addressing));
      const keys = await batching.keysOf(address, payments, signal);
      const found = new Map(shared.map(({ id }, place) => [id, keys[place] ?? null]));
      return new Map(asked.map(({ id }) => [id, found.get(id) ?? null]));
    },
  };
}

/** True while the payouts should wait: for the account's transactions, or for the set-up that was opened. */
async function setUp(
  context: SendContext,
  account: Account,
  memory: GroupMemory,
  address: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { db, chain, clock, logger } = context;
  const now = clock.now();
  const recent = memory.setUpsAt.filter((at) => secondsBetween(at, now) < setUpPauseSeconds);
  memory.setUpsAt = recent;
  if (account.nextSequence === null || recent.length >= setUpsMax) return false;
  const chainNext = await account.nextSequence(address, signal);
  const inUse = await readAccountInUse(db, chain, address, chainNext);
  if (inUse.openCount > 0) return true;
  const range = present(inUse.sequences([2])[0], "the numbers of a set-up");
  const funds = { kind: "account", address, ...range } as const;
  const feeCeiling = await findFeeCeiling(context, [], funds, signal);
  const request = { payments: [], funds };
  const outcome = await context.writer.draft(
    { ...request, feeTarget: null, feeCeiling, replaces: null },
    signal,
  );
  memory.setUpsAt = [...recent, now];
  if (outcome.kind !== "draft") {
    logger.warn("the account is not set up to pay several receivers at once", {
      chain,
      outcome: outcome.kind,
      ...(outcome.kind === "impossible" ? { reason: outcome.reason } : {}),
    });
    return false;
  }
  const { draft } = outcome;
  const spend: NewSpend = {
    chain,
    kind: "gap",
    sender: address,
    purpose: {},
    request,
    leaves: null,
    draft,
    feeCurrency: context.writer.coin,
    confirmations: context.coinConfirmations,
  };
  const isOpen = await commitOnlyIf(
    db,
    async (tx) => (await createSpend(tx, spend, now)).kind === "created",
    (isDone) => isDone,
  );
  if (isOpen)
    logger.info("the account is set up to pay several receivers at once", {
      chain,
      feeUnits: draft.feeUnits.toString(),
    });
  return true;
}
