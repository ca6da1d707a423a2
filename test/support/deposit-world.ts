import { createHash } from "node:crypto";
import type { Principal } from "../../src/accounts/principal.ts";
import { walletType } from "../../src/accounts/wallets/wallet.ts";
import {
  type BlockSink,
  noOwnActivity,
  type OwnActivity,
  type WatchedTransfer,
} from "../../src/chains/block-sink.ts";
import type { BlockRef } from "../../src/chains/port.ts";
import type { ReadAddresses } from "../../src/currencies/address-filter.ts";
import { builtInCurrencies } from "../../src/currencies/built-in-currencies.ts";
import type { Keyspace } from "../../src/currencies/keyspace.ts";
import type { FreezeRates } from "../../src/currencies/rates/current-rate.ts";
import { type CurrencyRegistry, createRegistry } from "../../src/currencies/registry.ts";
import { createDepositWriter } from "../../src/deposits/create/create.store.ts";
import type { NewDeposit } from "../../src/deposits/create/insert-deposits.store.ts";
import type { Deposit } from "../../src/deposits/deposit.ts";
import { readDepositRow } from "../../src/deposits/deposit-list.store.ts";
import { createDepositSink } from "../../src/deposits/payments/block-sink.ts";
import { decideReported } from "../../src/deposits/payments/decide-reported.ts";
import type { DepositContext } from "../../src/deposits/payments/reconsider.ts";
import { createRefundKeeper } from "../../src/deposits/resolve/follow-refunds.ts";
import type { TransferRecord } from "../../src/deposits/transfers/transfer.ts";
import { transferColumns, transferFromRow } from "../../src/deposits/transfers/transfer.ts";
import { returnKeeper } from "../../src/deposits/unattributed/follow-returns.ts";
import { combineRefundListeners, type RefundListener } from "../../src/payouts/refund-listener.ts";
import type { Row } from "../../src/platform/db/columns.ts";
import type { Executor } from "../../src/platform/db/database.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { addSeconds, type Instant } from "../../src/platform/kernel/clock.ts";
import { parseDecimal } from "../../src/platform/kernel/decimal.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import type { Rate } from "../../src/platform/kernel/rate.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { formatTimestamp } from "../../src/platform/kernel/timestamp.ts";
import type { TestDatabase } from "./database.ts";
import { type ManualClock, manualClock } from "./manual-clock.ts";

/*
 * Deposits and the chains that pay them, for tests. SQL creates accounts, wallets and addresses, the real writer creates
 * deposits, and the test reports to the real sink what a follower would, in a transaction each.
 */

export const eth = "1002" as CurrencyId;
export const btc = "1000" as CurrencyId;
export const usdt = "2015" as CurrencyId;
export const usd = "840" as CurrencyId;
export const xrp = "1010" as CurrencyId;
export const bnb = "1125" as CurrencyId;

const confirmations: Readonly<Record<string, number>> = { ETH: 3, XRP: 2 };

/** In these tests ether needs 3 confirmations, bitcoin and XRP 2. */
export const testCurrencies: CurrencyRegistry = createRegistry(
  builtInCurrencies.map((currency) => ({
    ...currency,
    confirmationBlocks: confirmations[currency.chain ?? ""] ?? currency.confirmationBlocks,
  })),
);

const keyspaces: Readonly<Record<string, Keyspace>> = {
  ETH: { name: "evm", chain: "ETH", addressTypes: [], defaultAddressType: "" },
  BTC: {
    name: "BTC",
    chain: "BTC",
    addressTypes: ["bech32", "p2sh-segwit", "legacy"],
    defaultAddressType: "bech32",
  },
};

/** Only Ethereum and Bitcoin are followed. */
export function testKeyspace(id: CurrencyId): Keyspace | null {
  return keyspaces[testCurrencies.get(id).chain ?? ""] ?? null;
}

export type Wallet = {
  readonly accountId: string;
  readonly walletId: string;
  readonly type: number;
  readonly currency: CurrencyId;
};

export type DepositWorld = {
  readonly database: TestDatabase;
  readonly clock: ManualClock;
  readonly context: DepositContext & {
    readonly freezeRates: FreezeRates;
    readonly payoutRevalueAfterSeconds: number;
    readonly db: TestDatabase["db"];
    readonly clock: ManualClock;
    readonly refunds: RefundListener;
  };
  readonly sink: BlockSink;
  /** Prices without a spread by `left right`; a missing pair has none. */
  readonly rates: Map<string, Rate>;
};

/** Accounts of a chain with tags are spelled `rAccount`, or with their tag `rAccount?5`. */
export const readTestAddresses: ReadAddresses = (text) => {
  const [address = "", tag = null] = text.split("?");
  return /^r[A-Z]/.test(address) ? [{ address, tag }] : [];
};

export function depositWorld(
  database: TestDatabase,
  settings: Partial<Pick<DepositContext, "isScreened" | "needsOpinion">> = {},
): DepositWorld {
  const clock = manualClock();
  const rates = new Map<string, Rate>();
  const findRate = (left: CurrencyId, right: CurrencyId) => {
    const rate = rates.get(`${left} ${right}`);
    const expiresAt = addSeconds(clock.now(), 30);
    return Promise.resolve(rate === undefined ? null : { bid: rate, ask: rate, expiresAt });
  };
  const deciding = {
    db: database.db,
    clock,
    currencies: testCurrencies,
    findRate,
    freezeRates: () => Promise.resolve(findRate),
    payoutRevalueAfterSeconds: 900,
    positions: { currencies: testCurrencies, max: new Map() },
    random: systemRandom,
    baseUrl: "http://pay.example",
    isScreened: settings.isScreened ?? false,
    needsOpinion: settings.needsOpinion ?? (() => false),
    revalueAfterSeconds: 7_200,
  };
  const context = {
    ...deciding,
    refunds: combineRefundListeners([createRefundKeeper(deciding), returnKeeper]),
  };
  return { database, clock, context, sink: createDepositSink(context), rates };
}

/** `"1.5"` of a currency in its smallest units. */
export function units(amount: string, currency: CurrencyId): bigint {
  const parsed = parseDecimal(amount, testCurrencies.get(currency).exp);
  if (parsed.kind !== "units") throw new Error(`${amount} is no amount of ${currency}`);
  return parsed.units;
}

/** `"3000.5"` as a rate. */
export function rateOf(text: string): Rate {
  const [whole = "", fraction = ""] = text.split(".");
  return { units: BigInt(whole + fraction), exp: fraction.length };
}

async function arrangeAccount({ database, clock }: DepositWorld): Promise<string> {
  const [row] = await database.sql<{ id: string }>(
    `insert into account (name, webhook_secret_sealed, created_at) values ('Test', '\\x00', $1::timestamptz) returning id`,
    [formatTimestamp(clock.now())],
  );
  return present(row, "an account").id;
}

export async function arrangeWallet(
  world: DepositWorld,
  options: {
    readonly accountId?: string;
    readonly type?: number;
    readonly currency?: CurrencyId;
  } = {},
): Promise<Wallet> {
  const accountId = options.accountId ?? (await arrangeAccount(world));
  const type = options.type ?? walletType.enterprise;
  const currency = options.currency ?? eth;
  const [row] = await world.database.sql<{ id: string }>(
    `with w as (
       insert into wallet (account_id, type, currency, label, status, created_at)
       values ($1::bigint, $2, $3, 'Test', 3, $4::timestamptz) returning account_id, id)
     insert into wallet_balance (account_id, wallet_id) select account_id, id from w returning wallet_id as id`,
    [accountId, type, currency, formatTimestamp(world.clock.now())],
  );
  return { accountId, walletId: present(row, "a wallet").id, type, currency };
}

let derived = 0;

/** Derives addresses into the pool. Their watch keys are the addresses in lower case. */
export async function fillPool(
  { database, clock }: DepositWorld,
  keyspace: string,
  addressType: string,
  count: number,
): Promise<void> {
  const start = derived;
  derived += count;
  await database.sql(
    `insert into address (keyspace, watch_key, address, address_type, key_index, derived_at)
     select $1::text, lower(name), name, $2::text, at, $5::timestamptz
     from generate_series($3::bigint, $3::bigint + $4::bigint - 1) as at,
       lateral (select $1::text || 'Address' || $2::text || at as name) as named`,
    [keyspace, addressType, start, count, formatTimestamp(clock.now())],
  );
}

/** A deposit created like the service's, with an address of its own; amounts are decimals of the wallet's currency. */
export async function arrangeDeposit(
  world: DepositWorld,
  wallet: Wallet,
  options: {
    readonly currency?: CurrencyId;
    readonly requested?: string;
    readonly inaccuracy?: string;
    readonly confirmationsNeeded?: number;
    readonly timeLimit?: number;
    readonly rate?: Rate;
    readonly rateLockSeconds?: number;
    readonly commission?: NewDeposit["commissionTerms"];
    readonly callbackUrl?: string | null;
    readonly label?: string;
    /** Whose pool has addresses; by default that of the currency's chain, into which one is derived. */
    readonly keyspace?: Keyspace;
  } = {},
): Promise<Deposit> {
  const currency = options.currency ?? wallet.currency;
  const keyspace = options.keyspace ?? present(testKeyspace(currency), `a keyspace of ${currency}`);
  const amount = (text: string | undefined): bigint | null =>
    text === undefined ? null : units(text, wallet.currency);
  if (options.keyspace === undefined)
    await fillPool(world, keyspace.name, keyspace.defaultAddressType, 1);
  const writer = createDepositWriter(world.database.db, () => "available");
  const now = world.clock.now();
  const deposit = await writer.create({
    accountId: wallet.accountId,
    createdByCredentialId: "1",
    paymentPageId: systemRandom.uuid(),
    walletId: wallet.walletId,
    walletType: wallet.type,
    walletCurrency: wallet.currency,
    currency,
    chain: keyspace.chain,
    isActive: keyspace.needsActivation !== true,
    keyspace: keyspace.name,
    addressType: keyspace.defaultAddressType,
    label: options.label ?? null,
    trackingId: null,
    confirmationsNeeded: options.confirmationsNeeded ?? null,
    timeLimit: options.timeLimit ?? null,
    invoiceUpdatedAt: options.timeLimit === undefined ? null : now,
    expiresAt: options.timeLimit === undefined ? null : addSeconds(now, options.timeLimit),
    callbackUrl: options.callbackUrl === undefined ? "https://shop.example/" : options.callbackUrl,
    paymentPageRedirectUrl: null,
    paymentPageButtonText: null,
    description: null,
    paymentLinkId: null,
    helpEmail: null,
    inaccuracy: amount(options.inaccuracy),
    toleranceBelow: null,
    toleranceAbove: null,
    targetAmountRequested: amount(options.requested),
    rate: options.rate ?? null,
    rateExpiresAt:
      options.rate === undefined ? null : addSeconds(now, options.rateLockSeconds ?? 900),
    sourceAmountRequested: null,
    commissionTerms: options.commission ?? { ratePpm: 0, fixedUnits: 0n, minimumUnits: 0n },
    travelRuleSealed: null,
    createdAt: now,
  });
  return present(deposit, "a deposit");
}

export async function readDeposit(world: DepositWorld, { accountId, id }: Deposit) {
  return present(await readDepositRow(world.database.db, accountId, id), `deposit ${id}`);
}

/** The deposit's transfers, oldest first. */
export async function readTransfers(
  world: DepositWorld,
  deposit: Deposit,
): Promise<readonly TransferRecord[]> {
  const rows = await world.database.sql<Row>(
    `select ${transferColumns} from transfer t where t.deposit_id = $1 order by t.id`,
    [deposit.id],
  );
  return rows.map(transferFromRow);
}

/** The merchant's notifications of a deposit, in order: the trigger, with `(feed)` where there was no callback. */
export async function readEvents(
  { database }: DepositWorld,
  deposit: Deposit,
): Promise<readonly string[]> {
  const rows = await database.sql<{ told: string }>(
    `select e.trigger || case when c.id is null then ' (feed)' else '' end as told
     from event e left join callback c on c.account_id = e.account_id and c.event_id = e.id
     where e.object_type = 'deposit' and e.object_id = $1 order by e.id`,
    [deposit.id],
  );
  return rows.map((row) => row.told);
}

export type Balance = {
  readonly available: bigint;
  readonly pending: bigint;
  readonly deficit: bigint;
};

export async function readBalance(
  { database }: DepositWorld,
  { walletId }: Pick<Wallet, "walletId">,
): Promise<Balance> {
  const [row] = await database.sql<Balance>(
    "select available, pending, deficit from wallet_balance where wallet_id = $1",
    [walletId],
  );
  return present(row, `balance of wallet ${walletId}`);
}

export type Hit = {
  readonly deposit: Deposit;
  readonly amount: string;
  readonly currency?: CurrencyId;
  readonly txid?: string;
  readonly index?: number;
  readonly spends?: readonly string[];
  readonly spendableFromHeight?: number;
  readonly unlisted?: string;
  /** Of the amount. */
  readonly withheld?: string;
};

let transactions = 0;

/** A payment as a follower reports it. */
export function payment(hit: Hit): WatchedTransfer {
  const { deposit } = hit;
  const currency = hit.currency ?? present(deposit.currency, "a payment currency");
  transactions += 1;
  const txid = hit.txid ?? `tx${transactions}`;
  return {
    transfer: {
      key: { txid, index: hit.index ?? 0 },
      to: present(deposit.address, "an address").toLowerCase(),
      asset:
        hit.unlisted === undefined
          ? { kind: "currency", amount: { currency, units: units(hit.amount, currency) } }
          : { kind: "unlisted", locator: hit.unlisted, units: BigInt(hit.amount) },
      spendableFromHeight: hit.spendableFromHeight ?? null,
      ...(hit.withheld === undefined ? {} : { withheldUnits: units(hit.withheld, currency) }),
    },
    senders: { addresses: ["payer"], claims: hit.spends ?? [`${txid}:in`] },
    accountId: deposit.accountId,
    walletId: deposit.walletId,
    depositId: deposit.id,
    addressType: deposit.addressType,
    keyIndex: 0,
  };
}

/**
 * A chain whose follower is the test: each method is one transaction, as with the real follower, and then pending decisions are
 * made.
 */
export type AnnouncingChain = {
  readonly tip: () => BlockRef;
  readonly append: (
    hits?: readonly WatchedTransfer[],
    options?: { readonly time?: Instant; readonly hash?: string; readonly own?: OwnActivity },
  ) => Promise<BlockRef>;
  /** The newest block again, as after a crash between commit and response. */
  readonly repeat: (hits?: readonly WatchedTransfer[], own?: OwnActivity) => Promise<void>;
  readonly orphan: () => Promise<void>;
  readonly see: (hits: readonly WatchedTransfer[]) => Promise<void>;
  /** Blocks without payments to us. */
  readonly grow: (count: number) => Promise<void>;
  /** The follower has reached the node's tip and read the mempool. */
  readonly catchUp: () => Promise<void>;
  /** Reports that the chain's outstanding transaction can never confirm. */
  readonly conflict: (txid: string) => Promise<void>;
};

let chains = 0;

/** Starts above every height that was reported before. */
export async function announceChain(world: DepositWorld, chain: string): Promise<AnnouncingChain> {
  chains += 1;
  const startHeight = chains * 1_000;
  const { database, clock, sink } = world;
  const blocks: BlockRef[] = [];
  let salt = 0;
  const blockAt = (height: number, time: Instant, hash?: string): BlockRef => {
    salt += 1;
    const text = `${chain} ${height} ${salt}`;
    return {
      height,
      hash: hash ?? createHash("sha256").update(text).digest("hex"),
      parentHash: blocks.at(-1)?.hash ?? "genesis",
      time,
    };
  };
  const tip = (): BlockRef => present(blocks.at(-1), "a block");
  const moveCursor = async (tx: Executor, block: BlockRef): Promise<void> => {
    await tx.query(
      {
        name: "",
        text: `update chain_cursor set height = $2::bigint, hash = $3, block_time = $4::timestamptz where chain = $1`,
      },
      [chain, block.height, block.hash, formatTimestamp(block.time)],
    );
  };
  const tell = async (work: (tx: Executor) => Promise<void>) => {
    await database.db.transaction(work);
    await decideReported(world.context, new AbortController().signal);
  };
  const append: AnnouncingChain["append"] = async (hits = [], options = {}) => {
    const block = blockAt(tip().height + 1, options.time ?? clock.now(), options.hash);
    await tell(async (tx) => {
      await moveCursor(tx, block);
      await sink.appended(tx, chain, block, hits, clock.now(), options.own ?? noOwnActivity);
    });
    blocks.push(block);
    return block;
  };

  blocks.push(blockAt(startHeight, clock.now()));
  await database.sql("delete from chain_cursor where chain = $1", [chain]);
  await database.sql(
    `insert into chain_cursor (chain, network, height, hash, block_time, caught_up_at, updated_at)
     values ($1, 'test', $2::bigint, $3, $4::timestamptz, $4::timestamptz, $4::timestamptz)`,
    [chain, startHeight, tip().hash, formatTimestamp(clock.now())],
  );
  return {
    tip,
    append,
    repeat: (hits = [], own = noOwnActivity) =>
      tell((tx) => sink.appended(tx, chain, tip(), hits, clock.now(), own)),
    orphan: async () => {
      const removed = present(blocks.pop(), "a block to orphan");
      await tell(async (tx) => {
        await moveCursor(tx, tip());
        await sink.orphaned(tx, chain, removed, clock.now());
      });
    },
    see: (hits) => tell((tx) => sink.pendingSeen(tx, chain, hits, clock.now())),
    grow: async (count) => {
      for (let block = 0; block < count; block += 1) await append();
    },
    catchUp: async () => {
      await database.sql(
        "update chain_cursor set caught_up_at = $2::timestamptz where chain = $1",
        [chain, formatTimestamp(clock.now())],
      );
    },
    conflict: async (txid) => {
      const { transfers } = await sink.pendingTransfers(database.db, chain);
      const found = present(
        transfers.find((one) => one.txid === txid),
        `outstanding ${txid}`,
      );
      const status = { kind: "conflicted", by: null, height: tip().height } as const;
      await tell((tx) =>
        sink.transfersDropped(tx, chain, [{ transfer: found, status }], clock.now()),
      );
    },
  };
}

/** A member of the account with every right. */
export function ownerOf(accountId: string): Principal {
  return {
    accountId,
    memberId: "1",
    credentialId: "1",
    role: "owner",
    accountIsReady: true,
    wallets: "all",
  };
}
