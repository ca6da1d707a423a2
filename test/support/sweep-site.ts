import type { ChainAdapter } from "../../src/chains/chain-adapter.ts";
import type { BlockRef } from "../../src/chains/port.ts";
import { createSecondOpinion } from "../../src/chains/second-opinion.ts";
import type { Currency } from "../../src/currencies/currency.ts";
import { createRegistry } from "../../src/currencies/registry.ts";
import { createPaidPayouts } from "../../src/payouts/send/paid-payouts.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { addSeconds } from "../../src/platform/kernel/clock.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import type { CurrencyId, Money } from "../../src/platform/kernel/money.ts";
import { formatTimestamp } from "../../src/platform/kernel/timestamp.ts";
import { createEvmDraftSigner } from "../../src/signer/evm/draft-signer.ts";
import type { SignOutcome, SignRequest } from "../../src/signer/intent.ts";
import { broadcastDue } from "../../src/treasury/spends/broadcast-due.ts";
import { confirmOutcomes } from "../../src/treasury/spends/confirm-outcomes.ts";
import { expireSpends } from "../../src/treasury/spends/expire-spends.ts";
import { replaceStuck } from "../../src/treasury/spends/replace-spend.ts";
import { signAttempts } from "../../src/treasury/spends/sign-attempts.ts";
import {
  defaultSpendSettings,
  type SpendContext,
} from "../../src/treasury/spends/spend-context.ts";
import { createSpendSink } from "../../src/treasury/spends/spend-sink.ts";
import {
  defaultSweepSettings,
  type SweepContext,
  type SweepSettings,
  sweptChain,
} from "../../src/treasury/sweeping/sweep-context.ts";
import { createTreasuryListener } from "../../src/treasury/sweeping/treasury-listener.ts";
import type { TestDatabase } from "./database.ts";
import { type ManualClock, manualClock } from "./manual-clock.ts";
import { type AdapterUnderTest, type PrivateEvm, signal } from "./private-evm.ts";
import { createTestKeys } from "./sweeping.ts";

/* The sweeping job on a private chain: its spends go through the pipeline's own steps and the signer's own code. */

export type SweepSite = {
  readonly context: SweepContext;
  readonly clock: ManualClock;
  /** Waiting payouts, set by tests. */
  readonly demand: Money[];
  /** From now on the signer refuses everything with this text. */
  readonly refuse: (reason: string | null) => void;
  /** A wallet in that currency; resolves with its account's id and its own. */
  readonly arrangeWallet: (
    currency: CurrencyId,
  ) => Promise<{ readonly accountId: string; readonly walletId: string }>;
  /** What the follower would record of a payment to deposit address `keyIndex`. */
  readonly note: (holding: {
    readonly keyIndex: number;
    readonly currency: CurrencyId;
    readonly units: bigint;
    readonly wallet: { readonly accountId: string; readonly walletId: string };
    readonly disposition?: string;
  }) => Promise<void>;
  /** Signs open spends, and broadcasts nothing. */
  readonly sign: () => Promise<void>;
  /** Signs and broadcasts open spends, without a block. */
  readonly send: () => Promise<void>;
  /** Mines, and reads the chain as the follower would. */
  readonly mine: (blocks: number) => Promise<void>;
  /** Ends what has expired. */
  readonly expire: () => Promise<void>;
  /** Raises the fee of transactions that wait too long. */
  readonly replace: () => Promise<void>;
  /** Signs, broadcasts and mines open spends, and lets them mature as the follower would report. */
  readonly carryOut: (blocks?: number) => Promise<void>;
  readonly spends: () => Promise<readonly { readonly kind: string; readonly state: string }[]>;
};

/** A chain to sweep: its blocks are made on demand, and the signer's own code signs. */
export type SweptLedger = {
  readonly adapter: ChainAdapter;
  readonly mine: (blocks: number) => Promise<void>;
  readonly sign: (request: SignRequest) => { readonly txid: string; readonly raw: Uint8Array };
};

/** An EVM chain with the test's keys. */
export function sweptEvm(evm: PrivateEvm, { adapter }: AdapterUnderTest): SweptLedger {
  const { chain } = adapter;
  const keys = createTestKeys();
  const signer = createEvmDraftSigner({ chain, chainId: evm.anvil.chainId, coldAddress: null });
  return {
    adapter,
    mine: (blocks) => evm.mine(blocks),
    sign: ({ intent, body, claims }) => {
      const inspected = signer.inspect(body, intent, keys);
      if (inspected.claims.join() !== claims.join()) throw new Error("other claims");
      return signer.sign(body, keys);
    },
  };
}

export function openSweepSite(
  database: TestDatabase,
  ledger: SweptLedger,
  input: {
    readonly currencies: readonly Currency[];
    readonly rates: ReadonlyMap<CurrencyId, readonly [bigint, number]>;
    readonly settings?: Partial<SweepSettings>;
  },
): SweepSite {
  const { adapter } = ledger;
  const { db } = database;
  const clock = manualClock();
  const currencies = createRegistry(input.currencies);
  const chain = present(sweptChain(adapter), "a chain that is swept");
  const demand: Money[] = [];
  const context: SweepContext = {
    db,
    clock,
    chain,
    currencies,
    logger: silentLogger,
    findRate: (left, right) => {
      const rate = left === right ? ([1n, 0] as const) : input.rates.get(left);
      const expiresAt = addSeconds(clock.now(), 60);
      if (rate === undefined) return Promise.resolve(null);
      const price = { units: rate[0], exp: rate[1] };
      return Promise.resolve({ bid: price, ask: price, expiresAt });
    },
    demand: () => Promise.resolve(demand),
    isStopped: () => Promise.resolve(false),
    settings: { ...defaultSweepSettings, ...input.settings },
  };
  const signing = createInProcessSigner(ledger);
  const listener = createTreasuryListener(() => false);
  const spendContext: SpendContext = {
    db,
    clock,
    logger: silentLogger,
    chain: adapter.chain,
    listener,
    writer: chain.writer,
    sweeper: chain.sweeper,
    coinConfirmations: currencies.get(chain.writer.coin).confirmationBlocks,
    currencyOf: () => null,
    signer: { sign: signing.sign, signedSpends: () => Promise.resolve([]) },
    payouts: createPaidPayouts(currencies, adapter.addressing),
    coins: null,
    settings: defaultSpendSettings,
  };
  const sink = createSpendSink(listener);
  let scanned = 0;

  const store = async ({ height, hash, parentHash, time }: BlockRef): Promise<void> => {
    await database.sql(
      `insert into chain_block (chain, height, hash, parent_hash, block_time, scanned_at)
       values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
      [
        ...[adapter.chain, height, hash, parentHash],
        ...[formatTimestamp(time), formatTimestamp(clock.now())],
      ],
    );
  };

  /** As the worker's job does, once the chain has been read up to there. */
  const reviewAt = async ({ height, hash, time }: BlockRef): Promise<void> => {
    await database.sql(
      `insert into chain_cursor (chain, network, height, hash, caught_up_at, updated_at, block_time)
       values ($1, 'regtest', $2, $3, $4::timestamptz, $4::timestamptz, $5)
       on conflict (chain) do update set height = excluded.height, hash = excluded.hash, block_time = excluded.block_time`,
      [adapter.chain, height, hash, formatTimestamp(clock.now()), formatTimestamp(time)],
    );
    const secondOpinion = createSecondOpinion({ db, clock, logger: silentLogger, adapter });
    await confirmOutcomes({ db, clock, logger: silentLogger, listener, secondOpinion }, signal);
  };

  /** Reports every block since the last time to the spends. */
  const follow = async (): Promise<void> => {
    const tip = await adapter.reader.tip(signal);
    for (let height = Math.max(scanned + 1, tip.height - 60); height <= tip.height; height += 1) {
      const block = present(await adapter.reader.headerAt(height, signal), "a block");
      const txids = await sink.readMinable(db, adapter.chain);
      const mined = present(await adapter.reader.receiptsIn(txids, block, signal), "a block");
      await store(block);
      await db.transaction((tx) => sink.appended(tx, adapter.chain, block, mined, clock.now()));
    }
    scanned = tip.height;
    await reviewAt(tip);
  };

  const sign = (): Promise<void> => signAttempts(spendContext, () => undefined, signal);
  const send = async (): Promise<void> => {
    await sign();
    await broadcastDue(spendContext, signal);
  };
  const mine = async (blocks: number): Promise<void> => {
    await ledger.mine(blocks);
    await follow();
  };

  return {
    context,
    clock,
    demand,
    refuse: signing.refuse,
    arrangeWallet: (currency) => arrangeWallet(database, clock, currency),
    note: (holding) => noteHolding(database, clock, context, holding),
    sign,
    send,
    mine,
    expire: () => expireSpends(spendContext, signal, new Set()),
    replace: () => replaceStuck(spendContext, signal, new Set()),
    carryOut: async (blocks = 40) => {
      await send();
      await mine(blocks + 1);
    },
    spends: () => database.sql("select kind, state from spend order by id"),
  };
}

function createInProcessSigner(ledger: SweptLedger) {
  let refusal: string | null = null;
  return {
    refuse: (reason: string | null): void => {
      refusal = reason;
    },
    sign: (request: SignRequest): Promise<SignOutcome> => {
      if (refusal !== null) return Promise.resolve({ kind: "refused", reason: refusal });
      const { txid, raw } = ledger.sign(request);
      return Promise.resolve({ kind: "signed", txid, raw: Buffer.from(raw).toString("hex") });
    },
  };
}

async function arrangeWallet(
  database: TestDatabase,
  clock: ManualClock,
  currency: CurrencyId,
): Promise<{ readonly accountId: string; readonly walletId: string }> {
  const now = formatTimestamp(clock.now());
  const [row] = await database.sql<{ account_id: string; wallet_id: string }>(
    `with a as (
       insert into account (name, webhook_secret_sealed, created_at)
       values ('Test', '\\x00', $1::timestamptz) returning id),
     w as (
       insert into wallet (account_id, type, currency, label, status, created_at)
       select id, 2, $2, 'Test', 3, $1::timestamptz from a returning account_id, id)
     insert into wallet_balance (account_id, wallet_id, available) select account_id, id, 0 from w
     returning account_id, wallet_id`,
    [now, currency],
  );
  const { account_id, wallet_id } = present(row, "a wallet");
  return { accountId: account_id, walletId: wallet_id };
}

async function noteHolding(
  database: TestDatabase,
  clock: ManualClock,
  { chain }: SweepContext,
  input: Parameters<SweepSite["note"]>[0],
): Promise<void> {
  const { keyIndex, currency, units, wallet, disposition = "credited" } = input;
  const { addressing } = chain;
  if (addressing.source !== "derived") throw new Error("the sweep site derives its addresses");
  const destination = addressing.depositAt(keyIndex, null);
  const { address } = destination;
  const watchKey = addressing.watchKey(destination);
  const now = formatTimestamp(clock.now());
  await database.sql(
    `insert into holding (chain, watch_key, currency, account_id, wallet_id, key_index, units, changed_at_height)
     values ($1, $2, $3, $4::bigint, $5::bigint, $6::bigint, $7::numeric, 1)
     on conflict (chain, watch_key, currency) do update set units = excluded.units`,
    [chain.chain, watchKey, currency, wallet.accountId, wallet.walletId, keyIndex, units],
  );
  await database.sql(
    `insert into address (keyspace, watch_key, address, address_type, key_index, derived_at, account_id, wallet_id, deposit_id)
     values ($1, $7, $2, '', $3::bigint, $4::timestamptz, $5::bigint, $6::bigint, $3::bigint)
     on conflict do nothing`,
    [chain.keyspace, address, keyIndex, now, wallet.accountId, wallet.walletId, watchKey],
  );
  await database.sql(
    `insert into transfer (account_id, op_type, status, wallet_id, deposit_id, currency, units, chain, first_seen_at,
       disposition, created_at, updated_at)
     values ($1::bigint, 1, 2, $2::bigint, $3::bigint, $4, $5::numeric, $6, $7::timestamptz, $8, $7::timestamptz, $7::timestamptz)`,
    [wallet.accountId, wallet.walletId, keyIndex, currency, units, chain.chain, now, disposition],
  );
}
