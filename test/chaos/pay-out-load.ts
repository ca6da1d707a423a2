import { present } from "../../src/platform/kernel/assert.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { assetsIn, type Load, pickAsset } from "./load.ts";

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
  const { chains, choices, client, deployment } = load;
  const paid = assetsIn(load).filter(({ payout }) => payout !== null);
  const { chain, id: currency, payout } = pickAsset(load, paid);
  const { from, to } = present(payout, "the range of a payout");
  const thousandths = choices.integer(from, to);
  const requested: RequestedPayout = {
    trackingId: `chaos-payout-${payouts.length}`,
    key: systemRandom.uuid(),
    chain,
    amount: (thousandths / 1000).toFixed(3),
    address: present(chains.get(chain), chain).newAddress(),
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
