import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import type { ApiClient, Resource } from "./api-client.ts";
import type { ChainActor } from "./chain-actor.ts";
import type { Deployment } from "./deployment.ts";
import type { Choices } from "./seeded-choices.ts";

/** A deposit that the service has acknowledged: it must never be lost from then on. */
export type KnownDeposit = {
  readonly id: string;
  readonly address: string;
  readonly trackingId: string;
  readonly hasCallback: boolean;
};

export type Load = {
  readonly deployment: Deployment;
  readonly client: ApiClient;
  readonly actors: ReadonlyMap<string, ChainActor>;
  readonly choices: Choices;
  readonly deposits: KnownDeposit[];
};

type Payable = {
  readonly alpha: string;
  readonly currency: string;
  readonly chain: string;
  /** In thousandths of the coin, or of the dollar. */
  readonly from: number;
  readonly to: number;
};

/** Amounts far above dust, and small enough for the faucets. */
const payables: readonly Payable[] = [
  { alpha: "ETH", currency: "1002", chain: "ETH", from: 10, to: 200 },
  { alpha: "USDT-ETH", currency: "2015", chain: "ETH", from: 5_000, to: 90_000 },
  { alpha: "USDC-ETH", currency: "2014", chain: "ETH", from: 5_000, to: 90_000 },
  { alpha: "BTC", currency: "1000", chain: "BTC", from: 1, to: 40 },
  { alpha: "BTC", currency: "1000", chain: "BTC", from: 1, to: 40 },
  { alpha: "LTC", currency: "1003", chain: "LTC", from: 10, to: 400 },
];

/** The initial balance of the paying wallets. */
const firstMoney = { ETH: "3", "USDT-ETH": "2000", BTC: "0.4", LTC: "8" } as const;

/** Deeper than any reorg of the run, and than what a killed node loses. */
const blocksUnderneath = 12;

const enterprise = 2;
const merchant = 1;
const dollar = "840";

/** Creates deposits one after the other and pays most of them; several of these run concurrently. */
export async function createAndPay(load: Load, signal: AbortSignal): Promise<void> {
  const { choices } = load;
  while (!signal.aborted) {
    const deposit = choices.chance(0.3)
      ? await createMerchantDeposit(load, signal)
      : await createEnterpriseDeposit(load, signal);
    if (deposit === null) return;
    await systemClock.sleep(choices.integer(200, 1_500), signal);
  }
}

/** Pays into each wallet that payouts use, and mines until the payment counts. */
export async function fundWallets(load: Load, signal: AbortSignal): Promise<void> {
  const { actors } = load;
  for (const [alpha, amount] of Object.entries(firstMoney)) {
    const payable = payables.find((one) => one.alpha === alpha)!;
    const actor = actors.get(payable.chain);
    if (actor === undefined) continue;
    const wallet = walletOf(load, enterprise, payable.currency);
    const created = await create(load, wallet, null, {}, signal);
    if (created === null) throw new Error(`no deposit of ${alpha}`);
    await payDeep(load, payable, created, amount);
  }
}

/** Overpays an invoice before anything is killed, so that every run has something to decide. */
export async function overpayFirst(load: Load, signal: AbortSignal): Promise<void> {
  const payable = payables.find(({ alpha }) => alpha === "ETH")!;
  const attributes = { target_amount_requested: "20.00" };
  const wallet = walletOf(load, merchant, dollar);
  const created = await create(load, wallet, payable.currency, attributes, signal);
  if (created === null) throw new Error("no invoice");
  await payDeep(load, payable, created, times(exactOf(created), 3n, 2n));
}

async function payDeep(
  load: Load,
  payable: Payable,
  deposit: Resource,
  amount: string,
): Promise<void> {
  const actor = load.actors.get(payable.chain)!;
  payLater(load, payable, deposit, amount, 0);
  await actor.payDue();
  for (let count = 0; count < blocksUnderneath; count += 1) await actor.mine();
}

function pickPayable({ actors, choices }: Load): Payable {
  return choices.pick(payables.filter(({ chain }) => actors.has(chain)));
}

async function createEnterpriseDeposit(load: Load, signal: AbortSignal): Promise<Resource | null> {
  const { choices } = load;
  const payable = pickPayable(load);
  const wallet = walletOf(load, enterprise, payable.currency);
  const created = await create(load, wallet, null, {}, signal);
  if (created === null) return null;
  const payments = choices.pick([0, 1, 1, 1, 1, 1, 2, 2, 3]);
  for (let count = 0; count < payments; count += 1) {
    const thousandths = choices.integer(payable.from, payable.to);
    payLater(load, payable, created, `${Math.floor(thousandths / 1000)}.${milli(thousandths)}`);
  }
  return created;
}

function milli(thousandths: number): string {
  return String(thousandths % 1000).padStart(3, "0");
}

/** An invoice in dollars, paid in a coin: exactly, twice, too much at once, or too little. */
async function createMerchantDeposit(load: Load, signal: AbortSignal): Promise<Resource | null> {
  const { choices } = load;
  const payable = pickPayable(load);
  const attributes = {
    target_amount_requested: `${choices.integer(5, 200)}.${choices.integer(10, 99)}`,
  };
  const wallet = walletOf(load, merchant, dollar);
  const created = await create(load, wallet, payable.currency, attributes, signal);
  if (created === null) return null;
  const exact = exactOf(created);
  const half = times(exact, 1n, 2n);
  const plans = [[exact], [exact], [exact, exact], [times(exact, 3n, 2n)], [half], []];
  for (const amount of choices.pick(plans)) {
    payLater(load, payable, created, amount);
  }
  return created;
}

function exactOf({ attributes }: Resource): string {
  return String(attributes["source_amount_requested"]);
}

/** A multiple in the same precision; rounding does not matter here. */
function times(amount: string, by: bigint, over: bigint): string {
  const [whole = "0", fraction = ""] = amount.split(".");
  const units = (BigInt(whole + fraction) * by) / over;
  const digits = units.toString().padStart(fraction.length + 1, "0");
  const point = digits.length - fraction.length;
  return `${digits.slice(0, point)}.${digits.slice(point)}`;
}

function walletOf({ deployment }: Load, type: number, currency: string): string {
  const found = deployment.account.wallets.find(
    (wallet) => wallet.type === type && wallet.currency === currency,
  );
  if (found === undefined) throw new Error(`no wallet of type ${type} for ${currency}`);
  return found.id;
}

async function create(
  load: Load,
  walletId: string,
  currency: string | null,
  attributes: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Resource | null> {
  const { choices, client, deployment, deposits } = load;
  const trackingId = `chaos-${deposits.length}-${choices.integer(0, 999_999)}`;
  const hasCallback = choices.chance(0.9);
  const confirmationsNeeded = choices.pick([null, null, 0, 1, 2, 5]);
  const created = await client.createDeposit(
    {
      ...attributes,
      tracking_id: trackingId,
      ...(hasCallback ? { callback_url: deployment.receiverUrl } : {}),
      ...(confirmationsNeeded === null ? {} : { confirmations_needed: confirmationsNeeded }),
    },
    {
      wallet: { type: "wallet", id: walletId },
      ...(currency === null ? {} : { currency: { type: "currency", id: currency } }),
    },
    signal,
  );
  if (created === null) return null;
  const address = String(created.attributes["address"]);
  deposits.push({ id: created.id, address, trackingId, hasCallback });
  return created;
}

function payLater(
  load: Load,
  payable: Payable,
  deposit: Resource,
  amount: string,
  withinMs = 3_000,
): void {
  load.actors.get(payable.chain)!.intents.push({
    depositId: deposit.id,
    address: String(deposit.attributes["address"]),
    alpha: payable.alpha,
    amount,
    txids: [],
    sendAt: systemClock.now() + load.choices.integer(0, withinMs) * 1_000,
  });
}
