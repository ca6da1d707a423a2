import { expect } from "vitest";
import type { Principal } from "../../src/accounts/principal.ts";
import { createCallbackUrlCheck, publicCallbacks } from "../../src/callbacks/callback-url.ts";
import { parseEvmAddress } from "../../src/chains/evm/payee-addressing.ts";
import type { FeeQuote, ReceiverState } from "../../src/chains/paying-port.ts";
import type { PayeeAddressing } from "../../src/chains/port.ts";
import { availabilityFromRow } from "../../src/currencies/availability-row.ts";
import type { Currency } from "../../src/currencies/currency.ts";
import { payoutCreateRoutes } from "../../src/http/payouts/payout-create.ts";
import { systemAccount, walletAccount } from "../../src/ledger/ledger-account.ts";
import { post } from "../../src/ledger/post.ts";
import type { CreatePayoutContext } from "../../src/payouts/create/create-payout.ts";
import { createReadPayoutFacts } from "../../src/payouts/create/facts.store.ts";
import { createFindInternalDestination } from "../../src/payouts/create/internal-destination.store.ts";
import type { PayInternally } from "../../src/payouts/create/internal-payment.ts";
import type { FeeQuestion } from "../../src/payouts/create/quote-fees.ts";
import { createPayoutWriter } from "../../src/payouts/create/write-payouts.ts";
import type { JsonObject, JsonValue } from "../../src/platform/kernel/json.ts";
import { createSeal } from "../../src/platform/kernel/seal.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { approvalMessage } from "../../src/signer/intent.ts";
import { type ApiResponse, apiServer, type TestApi } from "./api-server.ts";
import type { TestDatabase } from "./database.ts";
import {
  type DepositWorld,
  ownerOf,
  testCurrencies,
  testKeyspace,
  units,
} from "./deposit-world.ts";
import { faults } from "./faults.ts";
import { testDataKey } from "./test-accounts.ts";

/*
 * Creation of payouts, for tests: the real route, decisions and database. The test sets the node's fees; off-chain payments only
 * credit the receiver's wallet.
 */

/**
 * Chains that this deployment follows, and chains whose addresses it can parse; one that is only in the second list is
 * unavailable.
 */
const chains = {
  enabled: new Set(["ETH", "BTC", "MATIC", "BNB-BSC"]),
  disabled: new Set<string>(),
};

const plain = (pattern: RegExp, name: string | null): PayeeAddressing => ({
  types: [{ name, masks: [pattern.source], isDefault: true }],
  watchKey: ({ address }) => address.toLowerCase(),
  parse: (address, tag) =>
    tag === null && pattern.test(address) ? { address, addressType: name, tag: null } : null,
});

/** The pool of these tests issues names (`evmAddress7`); real EVM addresses are parsed by the real rules. */
const evm: PayeeAddressing = {
  ...plain(/^0x[0-9a-fA-F]{40}$/, null),
  parse: (address, tag) => {
    if (tag !== null) return null;
    const known = /^evmAddress\d+$/.test(address) ? address : parseEvmAddress(address, new Set());
    return known === null ? null : { address: known, addressType: null, tag: null };
  },
};

export const testAddressing: Readonly<Record<string, PayeeAddressing>> = {
  ETH: evm,
  MATIC: evm,
  "BNB-BSC": evm,
  BTC: plain(/^(bc1|BTCAddress)[0-9a-zA-Z-]+$/, "bech32"),
};

export const payee = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";
export const bitcoinPayee = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

export type PayoutWorld = {
  readonly api: TestApi;
  readonly world: DepositWorld;
  readonly context: CreatePayoutContext;
  /** The node's fees; null without a fresh quote. Tests replace it. */
  readonly fees: {
    answer: FeeQuote | null | Error;
    /** What the node says about receivers. */
    receiver: ReceiverState;
    readonly requests: FeeQuestion[];
  };
};

export const fairFee: FeeQuote = {
  low: 100n,
  medium: 200n,
  high: 400n,
  dust: 0n,
  warning: null,
};

export function payoutWorld(
  world: DepositWorld,
  settings: Partial<CreatePayoutContext> = {},
): PayoutWorld {
  const { database, clock } = world;
  const fees: PayoutWorld["fees"] = { answer: fairFee, receiver: { kind: "ready" }, requests: [] };
  const findPayeeAddressing =
    settings.findPayeeAddressing ?? ((chain: string) => testAddressing[chain] ?? null);
  const context: CreatePayoutContext = {
    ...world.context,
    findKeyspace: (id) => testKeyspace(id) ?? evmKeyspace(testCurrencies.get(id)),
    findPayeeAddressing,
    quoteFees: (question) => {
      fees.requests.push(question);
      const { answer, receiver } = fees;
      if (answer instanceof Error) return Promise.reject(answer);
      return Promise.resolve(answer === null ? null : { ...answer, receiver });
    },
    callbackUrlFault: createCallbackUrlCheck(publicCallbacks),
    findPositionFault: () => Promise.resolve(null),
    tokenFees: "operator",
    travelRuleThresholds: new Map(),
    isScreened: false,
    readFacts: createReadPayoutFacts(database.db, clock, (currency, row) =>
      availabilityFromRow(currency, chains, row),
    ),
    findOwnDestination: createFindInternalDestination(database.db, findPayeeAddressing),
    write: createPayoutWriter({
      db: database.db,
      clock,
      random: systemRandom,
      currencies: testCurrencies,
      seal: payoutSeal,
      approve: approvalMessage,
      payInternally: creditReceiver,
      positions: world.context.positions,
    }),
    ...settings,
  };
  const api = apiServer(payoutCreateRoutes(context), { clock });
  return { api, world, context, fees };
}

export const payoutSeal = createSeal(testDataKey, systemRandom);

/** All EVM chains share their addresses, as in the program. */
function evmKeyspace({ chain }: Currency) {
  if (chain !== "MATIC" && chain !== "BNB-BSC") return null;
  return { name: "evm", chain, addressTypes: [], defaultAddressType: "" };
}

/** Moves the money from transit to the receiver's wallet, which must have the same currency. */
const creditReceiver: PayInternally = (tx, payout, target, _findRate, now) =>
  post(
    tx,
    [
      {
        accountId: target.accountId,
        cause: `test-receipt:${payout.id}`,
        postings: [
          {
            debit: systemAccount("transit", payout.currency),
            credit: walletAccount(target.walletId, "available"),
            currency: payout.currency,
            units: payout.paidUnits,
          },
        ],
      },
    ],
    now,
  );

/** Credits a wallet from the operator's funds; a decimal of its currency. */
export async function fund(
  { database, clock }: DepositWorld,
  wallet: {
    readonly accountId: string;
    readonly walletId: string;
    readonly currency: Currency["id"];
  },
  amount: string,
): Promise<void> {
  const { accountId, walletId, currency } = wallet;
  const posting = {
    debit: systemAccount("equity", currency),
    credit: walletAccount(walletId, "available"),
    currency,
    units: units(amount, currency),
  };
  await database.db.transaction((tx) =>
    post(tx, [{ accountId, cause: "test-float", postings: [posting] }], clock.now()),
  );
}

export const receiver = {
  beneficiary: {
    beneficiaryPersons: [
      {
        naturalPerson: {
          name: [{ nameIdentifier: [{ primaryIdentifier: "Doe", secondaryIdentifier: "Jo" }] }],
          geographicAddress: [
            { country: "DE", addressLine: ["Unter den Linden 1"], addressType: "HOME" },
          ],
        },
      },
    ],
  },
} as const satisfies JsonObject;

export type Members = Readonly<Record<string, JsonValue | undefined>>;

/** The document of an external payout of ether; undefined omits a member. */
export function newPayoutDocument(
  wallet: JsonValue,
  attributes: Members = {},
  relationships: Members = {},
): JsonObject {
  const related = (type: string, id: JsonValue): JsonObject => ({ data: { type, id } });
  return {
    data: {
      type: "payout",
      attributes: givenMembers({
        amount: "0.1",
        fee_amount: "0.0000000000000002",
        address: payee,
        travel_rule_info: receiver,
        ...attributes,
      }),
      relationships: givenMembers({
        wallet: related("wallet", wallet),
        currency: related("currency", "1002"),
        ...relationships,
      }),
    },
  };
}

function givenMembers(members: Members): JsonObject {
  const kept = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as JsonObject;
}

export type PostOptions = {
  readonly attributes?: Members;
  readonly relationships?: Members;
  readonly as?: Principal;
  /** Null sends no header. Default: a new key. */
  readonly key?: string | null;
};

export function postPayout(
  { api }: PayoutWorld,
  wallet: { readonly accountId: string; readonly walletId: string },
  { attributes, relationships, as, key }: PostOptions = {},
): Promise<ApiResponse> {
  return api.ask("POST", "/payout/", {
    body: newPayoutDocument(wallet.walletId, attributes, relationships),
    as: as ?? ownerOf(wallet.accountId),
    headers: { "idempotency-key": key === null ? undefined : (key ?? systemRandom.uuid()) },
  });
}

export const currencyIs = (id: string): Members => ({
  currency: { data: { type: "currency", id } },
});

/** Everything that creating a payout could change. */
export async function payoutDigest({ sql }: TestDatabase) {
  const [row] = await sql<Readonly<Record<string, unknown>>>(
    `select (select count(*) from payout) as payouts, (select count(*) from payout_key) as keys,
       (select count(*) from posting) as postings, (select count(*) from transfer) as transfers,
       (select count(*) from event) as events, (select count(*) from callback) as callbacks,
       (select sum(available) from wallet_balance) as available, (select sum(held) from wallet_balance) as held`,
  );
  return row;
}

/** The faults of a refused payout, after checking that nothing changed and that its key is still unused. */
export async function refusedPayout(
  payouts: PayoutWorld,
  wallet: { readonly accountId: string; readonly walletId: string },
  options: PostOptions = {},
): Promise<readonly string[]> {
  const { database } = payouts.world;
  const key = systemRandom.uuid();
  const before = await payoutDigest(database);
  const answer = await postPayout(payouts, wallet, { ...options, key });
  expect(await payoutDigest(database)).toEqual(before);
  expect(await database.sql("select from payout_key where key = $1", [key])).toEqual([]);
  return faults(answer);
}

/** Turns a kill switch on: `all` or `chain/ETH`. */
export function stopPayouts({ sql }: TestDatabase, scope: string, byReconciliation: boolean) {
  return sql(
    `insert into payout_stop (scope, by_reconciliation, reason, created_at) values ($1, $2, 'test', '2026-01-01Z')`,
    [scope, byReconciliation],
  );
}
