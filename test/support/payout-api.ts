import { createFindAvailability } from "../../src/currencies/find-availability.ts";
import { createCurrencyList } from "../../src/currencies/list-currencies.ts";
import { receiveInternally } from "../../src/deposits/payments/receive-internally.ts";
import { walletLoader } from "../../src/http/accounts/wallet.ts";
import { currencyLoader } from "../../src/http/currencies/currency.ts";
import { transferRoutes } from "../../src/http/deposits/transfer.ts";
import { payoutRoutes } from "../../src/http/payouts/payout.ts";
import { payoutCalculationRoutes } from "../../src/http/payouts/payout-calculation.ts";
import { payoutCreateRoutes } from "../../src/http/payouts/payout-create.ts";
import { payoutRequirementsRoutes } from "../../src/http/payouts/payout-requirements.ts";
import { changePayouts, type PayoutChange } from "../../src/payouts/change-payouts.ts";
import type { CreatePayoutContext } from "../../src/payouts/create/create-payout.ts";
import { creditWallet } from "../../src/payouts/create/credit-wallet.ts";
import type { PayInternally } from "../../src/payouts/create/internal-payment.ts";
import type { Payout } from "../../src/payouts/payout.ts";
import { readPayoutRow } from "../../src/payouts/payout-list.store.ts";
import type { Executor } from "../../src/platform/db/database.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { approvalMessage } from "../../src/signer/intent.ts";
import { apiServer, type TestApi } from "./api-server.ts";
import {
  type DepositWorld,
  ownerOf,
  readTestAddresses,
  testCurrencies,
  type Wallet,
} from "./deposit-world.ts";
import {
  newPayoutDocument,
  type PayoutWorld,
  type PostOptions,
  payoutSeal,
  payoutWorld,
} from "./payout-world.ts";

/*
 * All payout routes over the real server and database. The test reports a payout's outcome on the chain, in a transaction each, to
 * the one place where payouts change.
 */

export type PayoutApi = {
  readonly api: TestApi;
  readonly payouts: PayoutWorld;
  /** Whether a spend may be abandoned; records each question. */
  readonly spends: {
    withdraw: (tx: Executor, spendId: string) => Promise<boolean>;
    readonly withdrawn: string[];
  };
  /** Creates a payout over HTTP as the account's owner; throws with the response otherwise. */
  readonly make: (wallet: Wallet, options?: PostOptions) => Promise<Payout>;
  readonly learn: (id: string, facts: Partial<Payout>) => Promise<PayoutChange>;
  readonly read: (payout: Pick<Payout, "accountId" | "id">) => Promise<Payout>;
};

export function payoutApi(
  world: DepositWorld,
  settings: Partial<CreatePayoutContext> = {},
): PayoutApi {
  const payouts = payoutWorld(world, settings);
  const { db } = world.database;
  const spends: PayoutApi["spends"] = {
    withdraw: () => Promise.resolve(false),
    withdrawn: [],
  };
  const payInternally: PayInternally = (tx, payout, target, findRate, now) =>
    target.kind === "wallet"
      ? creditWallet(tx, { ...world.context, findRate }, payout, target, now)
      : receiveInternally(
          tx,
          { ...world.context, findRate },
          {
            ...target,
            chain: payout.chain,
            amount: { units: payout.paidUnits, currency: payout.currency },
          },
          now,
        );
  const context = {
    ...world.context,
    seal: payoutSeal,
    approve: approvalMessage,
    payInternally,
    readAddresses: readTestAddresses,
    approverMinAgeSeconds: 0,
    withdrawFromSpend: (tx: Executor, spendId: string) => {
      spends.withdrawn.push(spendId);
      return spends.withdraw(tx, spendId);
    },
  };
  const findAvailability = createFindAvailability({
    enabled: new Set(["ETH", "BTC"]),
    disabled: new Set(),
  });
  const wallets = { db, clock: world.clock, currencies: testCurrencies, findAvailability };
  const currencyList = createCurrencyList(db, testCurrencies, findAvailability);
  const api = apiServer(
    [
      ...payoutCreateRoutes(payouts.context),
      ...payoutRoutes(context),
      ...payoutCalculationRoutes(payouts.context),
      ...payoutRequirementsRoutes({ ...payouts.context, db, clock: world.clock }),
      ...transferRoutes(world.context),
    ],
    {
      clock: world.clock,
      loaders: [walletLoader(wallets), currencyLoader({ currencies: currencyList })],
    },
  );
  const read: PayoutApi["read"] = async ({ accountId, id }) =>
    present(await readPayoutRow(db, accountId, id), `payout ${id}`);
  return {
    api,
    payouts,
    spends,
    read,
    make: async (wallet, { attributes, relationships, as, key } = {}) => {
      const answer = await api.ask("POST", "/payout/", {
        body: newPayoutDocument(wallet.walletId, attributes, relationships),
        as: as ?? ownerOf(wallet.accountId),
        headers: { "idempotency-key": key ?? systemRandom.uuid() },
      });
      if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
      return read({ accountId: wallet.accountId, id: answer.one.id });
    },
    learn: async (id, facts) => {
      const changes = await db.transaction((tx) =>
        changePayouts(
          tx,
          world.context,
          [id],
          (payout) => ({ ...payout, ...facts }),
          world.clock.now(),
        ),
      );
      return present(changes[0], `change of payout ${id}`);
    },
  };
}
