import { readDepositRow } from "../../../src/deposits/deposit-list.store.ts";
import { concludeExpiries } from "../../../src/deposits/payments/conclude-expiries.ts";
import { present } from "../../../src/platform/kernel/assert.ts";
import { formatDecimal } from "../../../src/platform/kernel/decimal.ts";
import type { JsonObject, JsonValue } from "../../../src/platform/kernel/json.ts";
import type { CurrencyId } from "../../../src/platform/kernel/money.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import type { ApiResponse } from "../../support/api-server.ts";
import { newDeposit } from "../../support/deposit-api.ts";
import { payment, type Wallet } from "../../support/deposit-world.ts";
import { newPayoutDocument, payee, receiver } from "../../support/payout-world.ts";
import { mine } from "./chain-events.ts";
import { bidOf, ether, expOf, usdc } from "./market.ts";
import { type Account, networkFee, type ValueSite } from "./value-site.ts";

export type Done = {
  /** The operation's name, for counting. */
  readonly what: string;
  /** Id of a deposit that was just accepted in whole or in part. */
  readonly decided?: string;
  /** True if the service rejected the request, which must then change nothing. */
  readonly isRejected?: boolean;
  /** True if position limits apply to the operation. */
  readonly isBounded?: boolean;
};

export type Operation = (site: ValueSite) => Promise<Done | null>;

/** Names a response for counting. Server errors end the history. */
function doneBy(name: string, answer: ApiResponse): Done {
  if (answer.status < 400) return { what: name, isBounded: boundedOperations.has(name) };
  const [error] = answer.errors;
  if (answer.status >= 500 && error?.code !== "4018") throw new Error(answer.text);
  return { what: `${name}: ${answer.status}/${error?.code ?? ""}`, isRejected: true };
}

const boundedOperations: ReadonlySet<string> = new Set([
  "pay inside",
  "convert",
  "pay out",
  "accept",
  "partial",
  "approve",
]);

function anyAccount({ seeded, accounts }: ValueSite): Account {
  return present(seeded.oneOf(accounts), "an account");
}

function anyWallet({ seeded }: ValueSite, { wallets }: Account): Wallet {
  return present(seeded.oneOf(wallets), "a wallet");
}

type DepositRow = {
  readonly id: string;
  readonly accountId: string;
  readonly page: string;
  readonly currency: CurrencyId;
  readonly requested: bigint | null;
};

/** One of the newest deposits, optionally in a given status. */
async function anyDeposit(
  { database, accounts, seeded }: ValueSite,
  status: number | null,
): Promise<DepositRow | null> {
  const rows = await database.sql<DepositRow>(
    `select id, account_id as "accountId", payment_page_id as page, currency, source_amount_requested as requested
     from deposit where account_id = any($1::bigint[]) and ($2::int is null or status = $2) order by id desc limit 8`,
    [accounts.map(({ id }) => id), status],
  );
  return seeded.oneOf(rows);
}

/** A random payout at one of these stages. */
async function anyPayout(
  { database, accounts, seeded }: ValueSite,
  stages: readonly string[],
): Promise<{ readonly id: string; readonly account: Account; readonly transferId: string } | null> {
  const rows = await database.sql<{ id: string; accountId: string; transferId: string }>(
    `select p.id, p.account_id as "accountId", t.id as "transferId"
     from payout p join transfer t on t.account_id = p.account_id and t.payout_id = p.id and t.op_type = 2
     where p.account_id = any($1::bigint[]) and p.stage = any($2::text[]) order by p.id`,
    [accounts.map(({ id }) => id), stages],
  );
  const row = seeded.oneOf(rows);
  const account = accounts.find(({ id }) => id === row?.accountId);
  return row === null || account === undefined ? null : { ...row, account };
}

const createDeposit: Operation = async (site) => {
  const { seeded, api } = site;
  const account = anyAccount(site);
  const wallet = anyWallet(site, account);
  const isMerchant = wallet.type === 1;
  const requested = seeded.between(10, 3_000).toString();
  const attributes: Readonly<Record<string, JsonValue>> = {
    ...(isMerchant && seeded.chance(0.85) ? { target_amount_requested: requested } : {}),
    ...(isMerchant && seeded.chance(0.3) ? { time_limit: 600 } : {}),
    ...(seeded.chance(0.2) ? { confirmations_needed: seeded.between(0, 1) } : {}),
  };
  const currency = isMerchant ? (seeded.oneOf([ether, ether, usdc]) ?? ether) : undefined;
  const body = newDeposit(wallet.walletId, attributes, currency);
  return doneBy("create", await api.ask("POST", "/deposit/", { body, as: account.owner }));
};

/** The requested amount, or a part or multiple of it, up to `limit`. */
function amountFor({ seeded }: ValueSite, deposit: DepositRow, limit: bigint | null): string {
  const usual = deposit.currency === ether ? 10n ** 17n : 300_000_000n;
  const percent = BigInt(seeded.oneOf([40, 60, 100, 100, 100, 130, 250]) ?? 100);
  const wanted = ((deposit.requested ?? usual) * percent) / 100n;
  const units = limit !== null && wanted > limit ? limit : wanted;
  return formatDecimal(units, expOf(deposit.currency));
}

const payOnChain: Operation = async (site) => {
  const row = await anyDeposit(site, null);
  if (row === null) return null;
  const deposit = await readDepositRow(site.database.db, row.accountId, row.id);
  if (deposit === null) return null;
  await mine(site, [payment({ deposit, amount: amountFor(site, row, null) })]);
  return { what: "pay on chain" };
};

/** Roughly the most that a wallet can pay in a currency. */
async function reachOf(site: ValueSite, wallet: Wallet, currency: CurrencyId): Promise<bigint> {
  const [row] = await site.database.sql<{ available: bigint }>(
    "select available from wallet_balance where wallet_id = $1",
    [wallet.walletId],
  );
  const { over, under } = bidOf(site.market.prices(), wallet.currency, currency);
  return ((row?.available ?? 0n) * over) / under;
}

/** Enterprise wallets pay their own currency, Merchant wallets any. */
function payableFrom({ seeded }: ValueSite, wallet: Wallet): CurrencyId {
  const isOwn = wallet.type !== 1;
  return isOwn ? wallet.currency : (seeded.oneOf([ether, usdc]) ?? ether);
}

async function postPayout(
  { api }: ValueSite,
  as: Account["owner"],
  wallet: Wallet,
  currency: CurrencyId,
  attributes: Readonly<Record<string, JsonValue | undefined>>,
  relationships: Readonly<Record<string, JsonValue>> = {},
): Promise<ApiResponse> {
  return api.ask("POST", "/payout/", {
    body: newPayoutDocument(wallet.walletId, attributes, {
      currency: { data: { type: "currency", id: currency } },
      ...relationships,
    }),
    as,
    headers: { "idempotency-key": systemRandom.uuid() },
  });
}

const inside = { address: undefined, fee_amount: undefined };

const payInside: Operation = async (site) => {
  const deposit = await anyDeposit(site, null);
  if (deposit === null) return null;
  const account = anyAccount(site);
  const wallet = anyWallet(site, account);
  const reach = await reachOf(site, wallet, deposit.currency);
  const attributes = {
    ...inside,
    amount: amountFor(site, deposit, (reach * 9n) / 10n),
    target_deposit: deposit.page,
  };
  const as = site.seeded.chance(0.15) ? account.asker : account.owner;
  return doneBy("pay inside", await postPayout(site, as, wallet, deposit.currency, attributes));
};

async function anyPart(site: ValueSite, wallet: Wallet, currency: CurrencyId): Promise<string> {
  const reach = await reachOf(site, wallet, currency);
  const units = (reach * BigInt(site.seeded.between(1, 95))) / 100n;
  return formatDecimal(units, expOf(currency));
}

const convert: Operation = async (site) => {
  const account = anyAccount(site);
  const [from, to] = [anyWallet(site, account), anyWallet(site, account)];
  if (from === to) return null;
  const currency = payableFrom(site, from);
  if (to.type !== 1 && to.currency !== currency) return null;
  const amount = await anyPart(site, from, currency);
  const as = site.seeded.chance(0.15) ? account.asker : account.owner;
  const target = { target_wallet: { data: { type: "wallet", id: to.walletId } } };
  return doneBy(
    "convert",
    await postPayout(site, as, from, currency, { ...inside, amount }, target),
  );
};

const payOut: Operation = async (site) => {
  const account = anyAccount(site);
  const wallet = anyWallet(site, account);
  const currency = payableFrom(site, wallet);
  const reach = await reachOf(site, wallet, currency);
  const units = (reach * BigInt(site.seeded.between(1, 40))) / 100n;
  const attributes = {
    amount: formatDecimal(units, expOf(currency)),
    fee_amount: networkFee,
  };
  const as = site.seeded.chance(0.5) ? account.asker : account.owner;
  return doneBy("pay out", await postPayout(site, as, wallet, currency, attributes));
};

/** A part of the funds on hold in a deposit, in the wallet's currency. */
async function anyKeptPart(
  { database, seeded }: ValueSite,
  { id, accountId }: DepositRow,
): Promise<string> {
  const [row] = await database.sql<{ units: bigint; currency: string }>(
    `select d.wallet_currency as currency, coalesce(sum(t.target_units), 0) as units
     from deposit d left join transfer t on t.account_id = d.account_id and t.deposit_id = d.id and t.disposition = 'unresolved'
     where d.account_id = $1 and d.id = $2 group by d.wallet_currency`,
    [accountId, id],
  );
  const { units, currency } = present(row, `deposit ${id}`);
  return formatDecimal((units * BigInt(seeded.between(10, 90))) / 100n, expOf(currency));
}

const resolve: Operation = async (site) => {
  const { seeded, api, accounts } = site;
  const deposit = await anyDeposit(site, 5);
  const account = accounts.find(({ id }) => id === deposit?.accountId);
  if (deposit === null || account === undefined) return null;
  const action = seeded.oneOf(["accept", "accept", "refund", "refund", "partial"]) ?? "accept";
  const payBack = { address: payee, fee_amount: networkFee, travel_rule_info: receiver };
  const attributes: JsonObject = {
    action,
    ...(action === "accept" ? {} : payBack),
    ...(action === "partial" ? { amount: await anyKeptPart(site, deposit) } : {}),
  };
  const answer = await api.ask("POST", `/deposit/${deposit.id}/resolve/`, {
    body: { data: { type: "deposit", attributes } },
    as: seeded.chance(0.3) ? account.asker : account.owner,
    headers: { "idempotency-key": systemRandom.uuid() },
  });
  noteRefund(site, answer);
  const done = doneBy(action, answer);
  return action === "refund" || answer.status >= 400 ? done : { ...done, decided: deposit.id };
};

const cancelDeposit: Operation = async (site) => {
  const deposit = await anyDeposit(site, site.seeded.oneOf([2, 3]));
  const account = site.accounts.find(({ id }) => id === deposit?.accountId);
  if (deposit === null || account === undefined) return null;
  const path = `/deposit/${deposit.id}/cancel/`;
  return doneBy("cancel deposit", await site.api.ask("POST", path, { as: account.owner }));
};

const cancelPayout: Operation = async (site) => {
  const payout = await anyPayout(site, ["waiting", "held", "blocked"]);
  if (payout === null) return null;
  const path = `/payout/${payout.id}/cancel/`;
  const as = site.seeded.chance(0.5) ? payout.account.owner : payout.account.asker;
  return doneBy("cancel payout", await site.api.ask("POST", path, { as }));
};

const approve: Operation = async (site) => {
  const payout = await anyPayout(site, ["waiting"]);
  if (payout === null) return null;
  const path = `/payout/${payout.id}/approve/`;
  return doneBy("approve", await site.api.ask("POST", path, { as: payout.account.approver }));
};

/** The account that operates the deployment releases or returns what screening holds. */
function operatorOf({ accounts }: ValueSite): Account["owner"] {
  return present(accounts[0], "the operator").owner;
}

const reason = "Reviewed";

async function postRelease(site: ValueSite, transferId: string): Promise<ApiResponse> {
  const body = { data: { type: "transfer", attributes: { reason } } };
  return site.api.ask("POST", `/transfer/${transferId}/release/`, { as: operatorOf(site), body });
}

const releasePayout: Operation = async (site) => {
  const payout = await anyPayout(site, ["blocked"]);
  return payout === null
    ? null
    : doneBy("release payout", await postRelease(site, payout.transferId));
};

/** A payment that screening blocked and no operator has decided on. */
async function anyHeldPayment({ database, accounts, seeded }: ValueSite): Promise<string | null> {
  const rows = await database.sql<{ readonly id: string }>(
    `select id from transfer where account_id = any($1::bigint[]) and op_type = 1 and status = -2
       and refund_payout_id is null order by id`,
    [accounts.map(({ id }) => id)],
  );
  return seeded.oneOf(rows)?.id ?? null;
}

const releasePayment: Operation = async (site) => {
  const id = await anyHeldPayment(site);
  return id === null ? null : doneBy("release payment", await postRelease(site, id));
};

const returnPayment: Operation = async (site) => {
  const id = await anyHeldPayment(site);
  if (id === null) return null;
  const attributes: JsonObject = {
    reason,
    address: payee,
    fee_amount: networkFee,
    travel_rule_info: receiver,
  };
  const answer = await site.api.ask("POST", `/transfer/${id}/return/`, {
    body: { data: { type: "transfer", attributes } },
    as: operatorOf(site),
    headers: { "idempotency-key": systemRandom.uuid() },
  });
  noteRefund(site, answer);
  return doneBy("return payment", answer);
};

/** Remembers the payout that a refund or a return created. */
function noteRefund(site: ValueSite, answer: ApiResponse): void {
  const { meta } = answer.document as { readonly meta?: { readonly payout_id: string } };
  if (answer.status < 400 && meta !== undefined) site.refunds.add(meta.payout_id);
}

const expire: Operation = async (site) => {
  const count = await concludeExpiries({ ...site.world.context, idleChains: ["ETH"] });
  return { what: count === 0 ? "nothing expires" : "expire" };
};

/** The operations of members and payers, with their weights. */
export const operations: readonly (readonly [weight: number, operation: Operation])[] = [
  [6, createDeposit],
  [8, payOnChain],
  [5, payInside],
  [6, convert],
  [5, payOut],
  [7, resolve],
  [1, cancelDeposit],
  [4, cancelPayout],
  [3, approve],
  [2, releasePayout],
  [2, releasePayment],
  [5, returnPayment],
  [1, expire],
];
