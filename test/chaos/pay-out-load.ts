import { Address } from "@scure/btc-signer/payment.js";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import type { Load } from "./load.ts";

/** A requested payout; each has its own receiver. */
export type RequestedPayout = {
  readonly trackingId: string;
  readonly key: string;
  readonly chain: string;
  /** Decimal. */
  readonly amount: string;
  readonly address: string;
  readonly hasCallback: boolean;
  /** From the response, even to a retry; null while unknown. */
  id: string | null;
  isRefused: boolean;
};

type PaidOut = {
  readonly chain: string;
  readonly currency: string;
  /** In thousandths of the coin, or of the dollar. */
  readonly from: number;
  readonly to: number;
};

const paidOut: readonly PaidOut[] = [
  { chain: "ETH", currency: "1002", from: 5, to: 90 },
  { chain: "ETH", currency: "2015", from: 1_000, to: 40_000 },
  { chain: "BTC", currency: "1000", from: 1, to: 15 },
  { chain: "BTC", currency: "1000", from: 1, to: 15 },
  { chain: "LTC", currency: "1003", from: 5, to: 150 },
];

const enterprise = 2;

/** The receiver of a payout. */
export const someone = {
  beneficiary: {
    beneficiaryPersons: [
      {
        naturalPerson: {
          name: [{ nameIdentifier: [{ primaryIdentifier: "Doe", secondaryIdentifier: "Jo" }] }],
          geographicAddress: [
            { country: "DE", addressLine: ["1 Some Street"], addressType: "HOME" },
          ],
        },
      },
    ],
  },
};

/** Requests payouts one after the other, and cancels a few; several of these run concurrently. */
export async function payOut(
  load: Load,
  payouts: RequestedPayout[],
  signal: AbortSignal,
): Promise<void> {
  const { choices, client } = load;
  while (!signal.aborted) {
    const requested = await ask(load, payouts, signal);
    if (requested.id !== null && choices.chance(0.1))
      await client.cancelPayout(requested.id, signal);
    await systemClock.sleep(choices.integer(100, 1_200), signal);
  }
}

async function ask(
  load: Load,
  payouts: RequestedPayout[],
  signal: AbortSignal,
): Promise<RequestedPayout> {
  const { actors, choices, client, deployment } = load;
  const { chain, currency, from, to } = choices.pick(
    paidOut.filter((one) => actors.has(one.chain)),
  );
  const thousandths = choices.integer(from, to);
  const requested: RequestedPayout = {
    trackingId: `chaos-payout-${payouts.length}`,
    key: systemRandom.uuid(),
    chain,
    amount: (thousandths / 1000).toFixed(3),
    address: newAddress(chain),
    hasCallback: choices.chance(0.9),
    id: null,
    isRefused: false,
  };
  payouts.push(requested);
  const confirmationsNeeded = choices.pick([null, null, 0, 1, 2, 5]);
  const wallet = deployment.account.wallets.find(
    (one) => one.type === enterprise && one.currency === currency,
  );
  const order = {
    wallet: wallet!.id,
    currency,
    attributes: {
      amount: requested.amount,
      address: requested.address,
      tracking_id: requested.trackingId,
      travel_rule_info: someone,
      ...(requested.hasCallback ? { callback_url: deployment.receiverUrl } : {}),
      ...(confirmationsNeeded === null ? {} : { confirmations_needed: confirmationsNeeded }),
    },
  };
  const created = await client.createPayout(order, requested.key, signal);
  if (created?.kind === "created") requested.id = created.id;
  requested.isRefused = created?.kind === "refused";
  return requested;
}

/** An address that belongs to no one: twenty random bytes. */
export function newAddress(chain: string): string {
  const hash = systemRandom.bytes(20);
  if (chain === "ETH") return `0x${Buffer.from(hash).toString("hex")}`;
  const bech32 = chain === "BTC" ? "bcrt" : "rltc";
  const network = { bech32, pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef };
  return Address(network).encode({ type: "wpkh", hash });
}
