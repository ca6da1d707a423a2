import { Address } from "@scure/btc-signer/payment.js";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import type { Load } from "./load.ts";

/** A requested payout; each has its own receiver. */
export type AskedPayout = {
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
  payouts: AskedPayout[],
  signal: AbortSignal,
): Promise<void> {
  const { choices, client } = load;
  while (!signal.aborted) {
    const asked = await ask(load, payouts, signal);
    if (asked.id !== null && choices.chance(0.1)) await client.cancelPayout(asked.id, signal);
    await systemClock.sleep(choices.integer(100, 1_200), signal);
  }
}

async function ask(load: Load, payouts: AskedPayout[], signal: AbortSignal): Promise<AskedPayout> {
  const { actors, choices, client, deployment } = load;
  const { chain, currency, from, to } = choices.pick(
    paidOut.filter((one) => actors.has(one.chain)),
  );
  const thousandths = choices.integer(from, to);
  const asked: AskedPayout = {
    trackingId: `chaos-payout-${payouts.length}`,
    key: systemRandom.uuid(),
    chain,
    amount: (thousandths / 1000).toFixed(3),
    address: newAddress(chain),
    hasCallback: choices.chance(0.9),
    id: null,
    isRefused: false,
  };
  payouts.push(asked);
  const confirmationsNeeded = choices.pick([null, null, 0, 1, 2, 5]);
  const wallet = deployment.account.wallets.find(
    (one) => one.type === enterprise && one.currency === currency,
  );
  const order = {
    wallet: wallet!.id,
    currency,
    attributes: {
      amount: asked.amount,
      address: asked.address,
      tracking_id: asked.trackingId,
      travel_rule_info: someone,
      ...(asked.hasCallback ? { callback_url: deployment.receiverUrl } : {}),
      ...(confirmationsNeeded === null ? {} : { confirmations_needed: confirmationsNeeded }),
    },
  };
  const created = await client.createPayout(order, asked.key, signal);
  if (created?.kind === "created") asked.id = created.id;
  asked.isRefused = created?.kind === "refused";
  return asked;
}

/** An address that belongs to no one: twenty random bytes. */
export function newAddress(chain: string): string {
  const hash = systemRandom.bytes(20);
  if (chain === "ETH") return `0x${Buffer.from(hash).toString("hex")}`;
  const bech32 = chain === "BTC" ? "bcrt" : "rltc";
  const network = { bech32, pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef };
  return Address(network).encode({ type: "wpkh", hash });
}
