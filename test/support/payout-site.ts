import type { Addressing, DerivedAddressing } from "../../src/chains/port.ts";
import type { Currency } from "../../src/currencies/currency.ts";
import { type CurrencyRegistry, createRegistry } from "../../src/currencies/registry.ts";
import { createRefundKeeper } from "../../src/deposits/resolve/follow-refunds.ts";
import { createReceiptSink } from "../../src/deposits/unattributed/receipt-sink.ts";
import { systemAccount, walletAccount } from "../../src/ledger/ledger-account.ts";
import { post } from "../../src/ledger/post.ts";
import { distributeBlock } from "../../src/main/build/distribute-block.ts";
import { confirmPayouts, entryOf } from "../../src/payouts/change-payouts.ts";
import { insertPayoutRows } from "../../src/payouts/payout.store.ts";
import type { Payout } from "../../src/payouts/payout.ts";
import type { RefundListener } from "../../src/payouts/refund-listener.ts";
import { createPaidPayouts } from "../../src/payouts/send/paid-payouts.ts";
import { payoutIntent } from "../../src/payouts/send/payout-intent.ts";
import type { SendContext } from "../../src/payouts/send/send-context.ts";
import { createPayoutListener } from "../../src/payouts/send/spend-listener.ts";
import type { Database } from "../../src/platform/db/database.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { formatTimestamp } from "../../src/platform/kernel/timestamp.ts";
import { holdsCoins } from "../../src/treasury/holdings/block-facts.ts";
import { listSpendableCoins } from "../../src/treasury/holdings/coin.store.ts";
import { ensureTreasury, nextChangeAddress } from "../../src/treasury/holdings/ensure-treasury.ts";
import { createTreasurySink } from "../../src/treasury/holdings/treasury-sink.ts";
import {
  detectUnexplained,
  type UnexplainedContext,
} from "../../src/treasury/recovery/detect-unexplained.ts";
import { findSpendsOf, readSpends } from "../../src/treasury/spends/spend.store.ts";
import { combineListeners, type SpendListener } from "../../src/treasury/spends/spend-listener.ts";
import { createSpendSink } from "../../src/treasury/spends/spend-sink.ts";
import { createTreasuryListener } from "../../src/treasury/sweeping/treasury-listener.ts";
import type { TestDatabase } from "./database.ts";
import {
  createJournallingSigner,
  type JournallingSigner,
  type PayoutSigner,
} from "./journalling-signer.ts";
import { type ManualClock, manualClock } from "./manual-clock.ts";
import { type Batches, createPayingChain, type Funding, type PayingChain } from "./paying-chain.ts";
import { createPayingNode, type PayingFaults, type PayingNode } from "./paying-node.ts";
import { newPayout } from "./payout-records.ts";
import { createSimulatedChain } from "./simulated-chain.ts";
import { digest } from "./simulated-ledger.ts";

/*
 * A deployment that pays out on one SIMULATED chain: real stores on a real database, real sinks, pipeline and treasury. Chain and node are
 * simulated; the signer is too, unless a history brings the real one (`disk-signer.ts`).
 */

export const simulatedChainName = "SIM";
export const coinId = "9001" as CurrencyId;
export const tokenId = "9002" as CurrencyId;

/** The initial balance of the wallets, in each currency. */
export const floatUnits = 1_000_000n;

export type PayoutSite<Signer extends PayoutSigner = PayoutSigner> = {
  /** Payouts per transaction at most. */
  readonly batchMax: number | null;
  readonly database: TestDatabase;
  readonly clock: ManualClock;
  readonly chain: PayingChain;
  readonly node: PayingNode;
  readonly faults: PayingFaults;
  readonly signer: Signer;
  readonly currencies: CurrencyRegistry;
  readonly addressing: DerivedAddressing;
  readonly listener: SpendListener;
  readonly sinks: ReturnType<typeof distributeBlock>;
  readonly refunds: RefundListener;
  readonly atLarge: ReturnType<typeof createSpendSink>["readMinable"];
  readonly accountId: string;
  readonly wallets: ReadonlyMap<CurrencyId, string>;
  /** Our own addresses: the hot account or the change addresses. */
  readonly own: ReadonlyMap<
    string,
    { readonly purpose: "hot" | "change"; readonly keyIndex: number }
  >;
  readonly hot: string | null;
};

/** The destination of a payout: an address of its own. */
export function receiverOf({ addressing }: PayoutSite, number: number): string {
  return addressing.depositAt(1_000 + number, null).address;
}

type SiteOptions = {
  readonly funding: Funding;
  readonly confirmations: number;
  readonly lifetime?: Parameters<typeof createPayingChain>[0]["lifetime"];
  readonly batches?: Batches | null;
  /** Payouts per transaction at most; null: as many as the chain takes. */
  readonly batchMax?: number | null;
  readonly expires?: boolean;
  /** Into how many coins the float is divided, on chains of coins. Few are soon spent from unconfirmed change. */
  readonly coins?: number;
  /** Pauses the chain's payouts whenever a block has a transaction of ours that is not on record, as the product does. */
  readonly pauseUnexplained?: UnexplainedContext["pauseChain"];
};

/** What a signer of the site has to know. */
export type SignerParts = Pick<PayoutSite, "clock" | "currencies" | "own">;

/** Turns an empty database into a deployment whose funds are in the first, unread block. Its signer is simulated. */
export function createPayoutSite(
  database: TestDatabase,
  options: SiteOptions,
): Promise<PayoutSite<JournallingSigner>> {
  return createPayoutSiteWith(database, options, createJournallingSigner);
}

/** The same with another signer. */
export async function createPayoutSiteWith<Signer extends PayoutSigner>(
  database: TestDatabase,
  options: SiteOptions,
  createSigner: (parts: SignerParts) => Signer,
): Promise<PayoutSite<Signer>> {
  const { db } = database;
  const clock = manualClock();
  const currencies = createRegistry([
    currency("coin", options.confirmations),
    currency("token", options.confirmations),
  ]);
  const { adapter } = createSimulatedChain({
    chain: simulatedChainName,
    currencies: [coinId],
    clock,
    funding: options.funding === "coins" ? "coins" : "account",
  });
  const { addressing, keyspace } = adapter;
  const chain = createPayingChain({
    name: simulatedChainName,
    funding: options.funding,
    coin: coinId,
    clock,
    ...(options.lifetime === undefined ? {} : { lifetime: options.lifetime }),
    batches: options.batches ?? null,
    ...(options.expires === undefined ? {} : { expires: options.expires }),
  });
  const faults: PayingFaults = { outage: false, lag: 0, broadcast: "fine" };
  const treasury = { chain: simulatedChainName, keyspace, addressing };
  await ensureTreasury({ db, clock }, [treasury]);
  const refunds = createRefundKeeper({
    currencies,
    findRate: () => Promise.resolve(null),
    random: systemRandom,
    baseUrl: "http://pay.example",
    isScreened: false,
    needsOpinion: () => false,
    revalueAfterSeconds: 7_200,
    positions: { currencies, max: new Map() },
  });
  const context = { currencies, random: systemRandom, refunds };
  const listener = combineListeners([
    createTreasuryListener(() => holdsCoins(treasury)),
    createPayoutListener(context),
  ]);
  const spends = createSpendSink(listener);
  const none = (): Promise<void> => Promise.resolve();
  const own = ownAddresses(addressing);
  const sink = distributeBlock({
    treasury: createTreasurySink([treasury]),
    receipts: createReceiptSink({ currencies }, []),
    deposits: {
      appended: none,
      orphaned: none,
      pendingSeen: none,
      transfersDropped: none,
      pendingTransfers: () => Promise.resolve({ transfers: [], isComplete: true }),
    },
    spends,
    confirmPayouts: (tx, chain, height, now) => confirmPayouts(tx, context, chain, height, now),
  });
  const { pauseUnexplained } = options;
  const searched = { logger: silentLogger, chains: [{ ...treasury, writer: null }], listener };
  const site: PayoutSite<Signer> = {
    database,
    batchMax: options.batchMax === undefined ? 3 : options.batchMax,
    clock,
    chain,
    faults,
    currencies,
    addressing,
    listener,
    refunds,
    node: createPayingNode(chain, faults),
    signer: createSigner({ clock, currencies, own }),
    sinks:
      pauseUnexplained === undefined
        ? sink
        : detectUnexplained({ ...searched, pauseChain: pauseUnexplained }, sink),
    atLarge: spends.readMinable,
    ...(await arrangeWallets(database, clock)),
    own,
    hot: addressing.treasury?.hot.address ?? null,
  };
  await arrangeFloat(site, options.coins ?? 25);
  return site;
}

function currency(kind: "coin" | "token", confirmationBlocks: number): Currency {
  const isCoin = kind === "coin";
  return {
    id: isCoin ? coinId : tokenId,
    alpha: isCoin ? "SIM" : "SIMT",
    alias: null,
    name: kind,
    pricedAs: null,
    exp: 4,
    kind,
    chain: simulatedChainName,
    confirmationBlocks,
    parent: isCoin ? null : coinId,
    token: isCoin ? null : { contract: "0xsimulated", locator: "0xsimulated" },
    minimalTransferUnits: 1n,
    supplyUnits: null,
    blockDelay: 10,
    tags: [],
    isStablecoin: false,
  };
}

function ownAddresses(addressing: Addressing): PayoutSite["own"] {
  const { treasury, changeAt } = addressing;
  if (treasury !== null) return new Map([[treasury.hot.address, { purpose: "hot", keyIndex: 0 }]]);
  const change = present(changeAt, "change addresses");
  return new Map(
    Array.from({ length: 400 }, (_, keyIndex) => [
      change(keyIndex).address,
      { purpose: "change" as const, keyIndex },
    ]),
  );
}

async function arrangeWallets({ sql }: TestDatabase, clock: ManualClock) {
  const now = formatTimestamp(clock.now());
  const [account] = await sql<{ id: string }>(
    `insert into account (name, webhook_secret_sealed, created_at) values ('Test', '\\x00', $1::timestamptz) returning id`,
    [now],
  );
  const accountId = present(account, "an account").id;
  const wallets = new Map<CurrencyId, string>();
  for (const id of [coinId, tokenId]) {
    const [wallet] = await sql<{ id: string }>(
      `with w as (
         insert into wallet (account_id, type, currency, label, status, created_at)
         values ($1::bigint, 2, $2, 'Test', 3, $3::timestamptz) returning account_id, id)
       insert into wallet_balance (account_id, wallet_id) select account_id, id from w returning wallet_id as id`,
      [accountId, id, now],
    );
    wallets.set(id, present(wallet, "a wallet").id);
  }
  return { accountId, wallets };
}

/** The operator's money on the chain, and its value on the wallets. */
async function arrangeFloat(
  { database, clock, chain, addressing, hot, accountId, wallets }: PayoutSite,
  coins: number,
) {
  const parts = hot === null ? coins : 1;
  for (let part = 0; part < parts; part += 1) {
    const address = hot ?? present(addressing.changeAt, "change addresses")(0).address;
    const units = floatUnits / BigInt(parts);
    const outputs = [
      { address, units, currency: coinId },
      ...(hot === null ? [] : [{ address, units, currency: tokenId }]),
    ];
    const txid = digest(`float ${part}`);
    chain.submit({ txid, claims: [], account: null, outputs, feeUnits: 0n, validity: null });
  }
  chain.mine();
  await database.db.transaction((tx) =>
    post(
      tx,
      [...wallets].map(([id, walletId]) => ({
        accountId,
        cause: "test-float",
        postings: [
          {
            debit: systemAccount("equity", id),
            credit: walletAccount(walletId, "available"),
            currency: id,
            units: floatUnits,
          },
        ],
      })),
      clock.now(),
    ),
  );
}

/** A payout as the api creates it: its funds held, its row written. `isForged`: its approval is of another amount. */
export async function askForPayout(
  site: PayoutSite,
  order: {
    readonly number: number;
    readonly currency: CurrencyId;
    readonly units: bigint;
    readonly feeUnits: bigint;
    readonly isForged?: boolean;
  },
): Promise<Payout> {
  const { database, clock, currencies, signer, wallets, accountId } = site;
  const isToken = order.currency === tokenId;
  const walletId = present(wallets.get(order.currency), "a wallet");
  const [ids] = await database.sql<{ readonly payoutId: string; readonly transferId: string }>(
    `select nextval(pg_get_serial_sequence('payout', 'id')) as "payoutId",
       nextval(pg_get_serial_sequence('transfer', 'id')) as "transferId"`,
  );
  const { payoutId, transferId } = present(ids, "ids");
  return database.db.transaction(async (tx) => {
    const now = clock.now();
    const requested = newPayout({
      accountId,
      walletId,
      id: payoutId,
      transferId,
      chain: simulatedChainName,
      currency: order.currency,
      walletCurrency: order.currency,
      feeCurrency: coinId,
      units: order.units,
      paidUnits: order.units,
      feeUnits: order.feeUnits,
      feeWalletId: isToken ? null : walletId,
      chargedUnits: order.units + (isToken ? 0n : order.feeUnits),
      address: receiverOf(site, order.number),
      callbackUrl: null,
      createdAt: now,
      updatedAt: now,
    });
    const intent = payoutIntent(requested, currencies.get(order.currency));
    const approved = order.isForged === true ? { ...intent, units: `${intent.units}0` } : intent;
    const payout = { ...requested, approval: signer.approve(approved) };
    await insertPayoutRows(tx, [payout]);
    await post(tx, [entryOf(null, payout)], now);
    return payout;
  });
}

/** A worker's context; tests may wrap `db`, `writer` and `signer` to control when they continue. */
export function sendContext(
  site: PayoutSite,
  parts: {
    readonly db: Database;
    readonly writer: PayingNode["writer"];
    readonly signer: Pick<PayoutSigner, "sign" | "signedSpends" | "payoutsSigned">;
  },
): SendContext {
  const { clock, currencies, addressing, listener, refunds, hot } = site;
  const treasury = { keyspace: simulatedChainName.toLowerCase(), addressing };
  const confirmations = currencies.get(coinId).confirmationBlocks;
  return {
    db: parts.db,
    clock,
    currencies,
    addressing,
    listener,
    refunds,
    hot,
    random: systemRandom,
    logger: silentLogger,
    chain: simulatedChainName,
    writer: parts.writer,
    coinConfirmations: confirmations,
    currencyOf: (asset) => (asset.kind === "coin" ? coinId : tokenId),
    signer: parts.signer,
    payoutsSigned: parts.signer.payoutsSigned,
    payouts: createPaidPayouts(currencies, addressing),
    coins:
      hot === null
        ? {
            spendable: (db, limit) =>
              listSpendableCoins(db, simulatedChainName, { confirmations, limit }),
            nextChange: (tx, now) => nextChangeAddress(tx, treasury, now),
            changeOf: async (db, txid) => {
              const ids = [...(await findSpendsOf(db, simulatedChainName, [txid])).values()];
              const attempts = (await readSpends(db, ids)).flatMap((spend) => spend.attempts);
              const created = attempts.find((attempt) => attempt.txid === txid);
              return created === undefined
                ? []
                : (parts.writer.changeOf?.(txid, created.draft) ?? []);
            },
          }
        : null,
    senders: hot === null ? [] : [hot],
    settings: {
      watchSeconds: 5,
      rebroadcastMinSeconds: 5,
      rebroadcastMaxSeconds: 40,
      checkAfterSeconds: 20,
      stuckAfterSeconds: 60,
      refusedAfterSeconds: 20,
      feeCeiling: 1_000n,
    },
    sending: {
      batchMax: site.batchMax,
      gatherSeconds: 1,
      inFlightMax: 4,
      examineMax: 500,
      setsUpBatching: true,
    },
  };
}
