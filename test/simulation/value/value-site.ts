import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Principal } from "../../../src/accounts/principal.ts";
import { walletType } from "../../../src/accounts/wallets/wallet.ts";
import type { WatchedTransfer } from "../../../src/chains/block-sink.ts";
import { createDepositSink } from "../../../src/deposits/payments/block-sink.ts";
import { saveCommissionTerms } from "../../../src/ledger/commission.store.ts";
import type { CommissionTerms } from "../../../src/ledger/commission.ts";
import { depositRouteContext, moneyRoutes } from "../../../src/main/build/build-api.ts";
import {
  createFoundation,
  depositContext,
  type Foundation,
} from "../../../src/main/build/foundation.ts";
import { payoutContext } from "../../../src/main/build/payout-context.ts";
import { readConfig } from "../../../src/main/config/read-config.ts";
import { formatDecimal } from "../../../src/platform/kernel/decimal.ts";
import { silentLogger } from "../../../src/platform/kernel/logger.ts";
import type { CurrencyId } from "../../../src/platform/kernel/money.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import { createApprovalKey } from "../../../src/signer/keys/approval-key.ts";
import { apiServer, type TestApi } from "../../support/api-server.ts";
import { writeDeployment } from "../../support/command-line.ts";
import type { TestDatabase } from "../../support/database.ts";
import {
  type AnnouncingChain,
  announceChain,
  arrangeWallet,
  type DepositWorld,
  fillPool,
  ownerOf,
  type Wallet,
} from "../../support/deposit-world.ts";
import { type ManualClock, manualClock } from "../../support/manual-clock.ts";
import { fund } from "../../support/payout-world.ts";
import { createSeeded, type Seeded } from "../../support/seeded.ts";
import {
  alphaOf,
  createMarket,
  dollar,
  ether,
  expOf,
  type Fraction,
  type Market,
  usdc,
} from "./market.ts";

/*
 * A deployment for value simulations: the real routes, decisions and stores on a real database, built from a
 * configuration as `sluice api` builds them. The simulation plays the chain on the real sinks and publishes prices
 * where workers do.
 */

export type Account = {
  readonly id: string;
  readonly owner: Principal;
  /** Another member, who approves the asker's payouts. */
  readonly approver: Principal;
  /** A member whose payouts need approval. */
  readonly asker: Principal;
  readonly wallets: readonly Wallet[];
  readonly depositTerms: CommissionTerms;
  readonly payoutTerms: CommissionTerms;
};

export type ValueSite = {
  readonly database: TestDatabase;
  readonly clock: ManualClock;
  readonly seeded: Seeded;
  readonly foundation: Foundation;
  readonly api: TestApi;
  readonly world: DepositWorld;
  readonly market: Market;
  /** The first account operates the deployment. */
  readonly accounts: readonly Account[];
  readonly chain: AnnouncingChain;
  /** The deposit payments of each block, by height. */
  readonly blocks: Map<number, readonly WatchedTransfer[]>;
  /** Ids of payouts that refunds created. */
  readonly refunds: Set<string>;
  /** By transfer id, the price at which a payment may be credited, and the end of the lock that set it. */
  readonly worths: Map<string, { readonly price: Fraction; readonly lockedUntil: number | null }>;
};

/** What histories share. */
export type ValueDeployment = Pick<
  ValueSite,
  "database" | "clock" | "foundation" | "api" | "world"
> & {
  readonly stop: () => Promise<void>;
};

export const networkFee = "0.0001";

/** The operator's position limits, narrow enough that random conversions reach them. */
export const positionMax: ReadonlyMap<CurrencyId, bigint> = new Map([
  [ether, 3n * 10n ** 18n],
  [usdc, 8_000n * 10n ** 6n],
]);

/** How long a waiting payout keeps its charge. */
export const chargeSeconds = 900;

export async function startValueDeployment(database: TestDatabase): Promise<ValueDeployment> {
  const clock = manualClock();
  const keys = await mkdtemp(join(tmpdir(), "sluice-value-"));
  const approvalKey = join(keys, "approval.pem");
  await createApprovalKey(approvalKey, systemRandom);
  const files = await writeDeployment(database.url, {
    chains: { ETH: { network: "regtest", nodes: ["http://127.0.0.1:9"], chain_id: 1337 } },
    currencies: [
      { currency: "ETH", confirmation_blocks: 2 },
      { currency: "USDC-ETH", contract: "0xe7f1725e7734ce288f8367e1bb143e90bb3f0512" },
    ],
    payouts: { approval_key_file: approvalKey, token_fees: "wallet" },
    conversions: {
      position_max: Object.fromEntries(
        [...positionMax].map(([currency, units]) => [
          alphaOf(currency),
          formatDecimal(units, expOf(currency)),
        ]),
      ),
    },
    // The simulation answers for the provider (`screen` in chain-events.ts); nothing calls this URL.
    screening: { url: "http://127.0.0.1:9" },
  });
  const parts = { clock, random: systemRandom, logger: silentLogger };
  const foundation = await createFoundation(await readConfig(files.configFile), parts, "api");
  const fair = { low: 10n ** 14n, medium: 10n ** 14n, high: 2n * 10n ** 14n };
  const ready = { kind: "ready" } as const;
  const quoteFees = () => Promise.resolve({ ...fair, dust: 0n, warning: null, receiver: ready });
  const deposits = depositRouteContext(foundation);
  const routes = moneyRoutes(foundation, deposits, payoutContext(foundation, quoteFees));
  const { freezeRates, refunds } = foundation;
  const context = {
    ...depositContext(foundation),
    freezeRates,
    refunds,
    payoutRevalueAfterSeconds: chargeSeconds,
    db: foundation.db,
    clock,
  };
  return {
    database,
    clock,
    foundation,
    api: apiServer(routes, { clock }),
    world: { database, clock, context, sink: createDepositSink(context), rates: new Map() },
    stop: async () => {
      await foundation.db.close();
      await files.remove();
      await rm(keys, { recursive: true, force: true });
    },
  };
}

/** Removes the previous history and creates new accounts with funds of their own, at new prices. */
export async function arrangeValueSite(
  deployment: ValueDeployment,
  seed: number,
): Promise<ValueSite> {
  const seeded = createSeeded(seed);
  const { database, clock, world } = deployment;
  await database.sql(
    `truncate account, wallet, wallet_balance, deposit, transfer, payout, payout_key, posting, event, callback, address, chain_cursor,
       commission_terms, conversion_position, conversion_delta cascade`,
  );
  const market = createMarket(database, clock, seeded);
  await market.publish();
  await fillPool(world, "evm", "", 400);
  const accounts: Account[] = [];
  for (let number = 0; number < 3; number += 1) accounts.push(await arrangeAccount(world, seeded));
  await database.sql(
    "update account set is_operator = true where id = (select min(id) from account)",
  );
  return {
    ...deployment,
    seeded,
    market,
    accounts,
    chain: await announceChain(world, "ETH"),
    blocks: new Map(),
    refunds: new Set(),
    worths: new Map(),
  };
}

const floats: readonly (readonly [type: number, currency: CurrencyId, amount: string])[] = [
  [walletType.merchant, dollar, "10000"],
  [walletType.merchant, usdc, "10000"],
  [walletType.enterprise, ether, "5"],
  [walletType.enterprise, usdc, "10000"],
];

async function arrangeAccount(world: DepositWorld, seeded: Seeded): Promise<Account> {
  const wallets: Wallet[] = [];
  for (const [type, currency, amount] of floats) {
    const accountId = wallets[0]?.accountId;
    const wallet = await arrangeWallet(world, {
      type,
      currency,
      ...(accountId === undefined ? {} : { accountId }),
    });
    await fund(world, wallet, amount);
    wallets.push(wallet);
  }
  const id = wallets[0]?.accountId ?? "";
  const terms = (): CommissionTerms => ({
    ratePpm: seeded.oneOf([0, 5_000, 500_000]) ?? 0,
    fixedUnits: 0n,
    minimumUnits: 0n,
  });
  const [depositTerms, payoutTerms] = [terms(), terms()];
  const scope = { accountId: id, currency: null } as const;
  const { db } = world.database;
  await saveCommissionTerms(db, { ...scope, direction: "deposit" }, depositTerms);
  await saveCommissionTerms(db, { ...scope, direction: "payout" }, payoutTerms);
  const owner = ownerOf(id);
  return {
    id,
    wallets,
    depositTerms,
    payoutTerms,
    owner,
    approver: { ...owner, memberId: "2", role: "admin" },
    asker: { ...owner, memberId: "5", role: "withdrawals_with_approval" },
  };
}
