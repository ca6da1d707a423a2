import { present } from "../../src/platform/kernel/assert.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import type { ApiClient, Resource } from "./api-client.ts";
import { type Asset, assets } from "./assets.ts";
import type { ChainActor } from "./chain-actor.ts";
import type { Deployment } from "./deployment.ts";
import { placeOf } from "./place.ts";
import type { Choices } from "./seeded-choices.ts";

/** A deposit that the service has acknowledged: it must never be lost from then on. */
export type KnownDeposit = {
  readonly id: string;
  /** Null if the chain prepares addresses after the creation, which told none. */
  readonly address: string | null;
  readonly trackingId: string;
  readonly hasCallback: boolean;
};

export type Load = {
  readonly deployment: Pick<Deployment, "receiverUrl"> & {
    readonly account: Pick<Deployment["account"], "wallets">;
  };
  readonly client: ApiClient;
  readonly chains: ReadonlyMap<
    string,
    { readonly actor: ChainActor; readonly newAddress: () => string }
  >;
  readonly choices: Choices;
  readonly deposits: KnownDeposit[];
};

/** Deeper than any reorg of the run, and than what a killed node loses. */
const blocksUnderneath = 12;

const addressPollMs = 300;

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
  for (const asset of assetsIn(load)) {
    if (asset.firstMoney === null) continue;
    const wallet = walletOf(load, enterprise, asset.id);
    const created = await create(load, wallet, null, {}, signal);
    if (created === null) throw new Error(`no deposit of ${asset.alpha}`);
    const { actor } = actorOf(load, asset);
    const addressed = await withAddress(load, created, signal, () => actor.mine());
    await payDeep(load, asset, present(addressed, asset.alpha), asset.firstMoney);
  }
}

/** Overpays an invoice before anything is killed, so that every run has something to decide. */
export async function overpayFirst(load: Load, signal: AbortSignal): Promise<void> {
  const asset = present(assetsIn(load)[0], "an asset");
  const attributes = { target_amount_requested: "20.00" };
  const wallet = walletOf(load, merchant, dollar);
  const created = await create(load, wallet, asset.id, attributes, signal);
  if (created === null) throw new Error("no invoice");
  const { actor } = actorOf(load, asset);
  const addressed = await withAddress(load, created, signal, () => actor.mine());
  await payDeep(load, asset, present(addressed, asset.alpha), times(exactOf(created), 3n, 2n));
}

async function payDeep(load: Load, asset: Asset, deposit: Resource, amount: string): Promise<void> {
  const { actor } = actorOf(load, asset);
  payLater(load, asset, deposit, amount, 0);
  await actor.payDue();
  while (actor.unconfirmed(blocksUnderneath).length > 0) {
    await actor.mine();
    await actor.best.update();
  }
}

function actorOf({ chains }: Load, { chain }: Asset): { readonly actor: ChainActor } {
  return present(chains.get(chain), `the chain ${chain}`);
}

/** Those whose chains run, and that the deployment's release has. */
export function assetsIn({ chains, deployment }: Load): readonly Asset[] {
  const { wallets } = deployment.account;
  return assets.filter(
    ({ chain, id }) => chains.has(chain) && wallets.some(({ currency }) => currency === id),
  );
}

/** At random, by weight. */
export function pickAsset({ choices }: Load, among: readonly Asset[]): Asset {
  return choices.pick(among.flatMap((asset) => Array<Asset>(asset.weight).fill(asset)));
}

async function createEnterpriseDeposit(load: Load, signal: AbortSignal): Promise<Resource | null> {
  const { choices } = load;
  const asset = pickAsset(load, assetsIn(load));
  const wallet = walletOf(load, enterprise, asset.id);
  const created = await createdWithAddress(load, wallet, null, {}, signal);
  if (created === null) return null;
  const payments = choices.pick([0, 1, 1, 1, 1, 1, 2, 2, 3]);
  for (let count = 0; count < payments; count += 1) {
    const thousandths = choices.integer(asset.deposit.from, asset.deposit.to);
    payLater(load, asset, created, `${Math.floor(thousandths / 1000)}.${milli(thousandths)}`);
  }
  return created;
}

function milli(thousandths: number): string {
  return String(thousandths % 1000).padStart(3, "0");
}

/** An invoice in dollars, paid in a coin: exactly, twice, too much at once, or too little. */
async function createMerchantDeposit(load: Load, signal: AbortSignal): Promise<Resource | null> {
  const { choices } = load;
  const asset = pickAsset(load, assetsIn(load));
  const attributes = {
    target_amount_requested: `${choices.integer(5, 200)}.${choices.integer(10, 99)}`,
  };
  const wallet = walletOf(load, merchant, dollar);
  const created = await createdWithAddress(load, wallet, asset.id, attributes, signal);
  if (created === null) return null;
  const exact = exactOf(created);
  const half = times(exact, 1n, 2n);
  const plans = [[exact], [exact], [exact, exact], [times(exact, 3n, 2n)], [half], []];
  for (const amount of choices.pick(plans)) {
    payLater(load, asset, created, amount);
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
  const address = placeOf(created.attributes);
  deposits.push({ id: created.id, address, trackingId, hasCallback });
  return created;
}

/** The same, while the chain's actor makes blocks. */
async function createdWithAddress(
  load: Load,
  ...request: [
    walletId: string,
    currency: string | null,
    attributes: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ]
): Promise<Resource | null> {
  const created = await create(load, ...request);
  const signal = request[3];
  return created === null
    ? null
    : await withAddress(load, created, signal, () => Promise.resolve());
}

/** The deposit once it has an address; null if `signal` aborted before. `advance` makes blocks where nobody else does. */
async function withAddress(
  { client }: Load,
  created: Resource,
  signal: AbortSignal,
  advance: () => Promise<void>,
): Promise<Resource | null> {
  let deposit: Resource | null = created;
  while (deposit !== null && deposit.attributes["address"] === null) {
    await advance();
    await systemClock.sleep(addressPollMs, signal);
    deposit = await client.deposit(created.id, signal);
  }
  return deposit;
}

function payLater(
  load: Load,
  asset: Asset,
  deposit: Resource,
  amount: string,
  withinMs = 3_000,
): void {
  actorOf(load, asset).actor.intents.push({
    depositId: deposit.id,
    address: present(placeOf(deposit.attributes), "an address"),
    alpha: asset.alpha,
    amount,
    txids: [],
    sendAt: systemClock.now() + load.choices.integer(0, withinMs) * 1_000,
  });
}
