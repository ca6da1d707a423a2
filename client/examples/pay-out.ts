import type { Client } from "sluice-client";
import type { Payout } from "sluice-client/api-types";
import { SluiceError } from "sluice-client/sluice-error";

export type Order = {
  readonly walletId: string;
  readonly currencyId: string;
  readonly amount: string;
  readonly address: string;
  readonly trackingId: string;
  /** UUIDv4, stored with the order before the first call. */
  readonly key: string;
};

/** Pays an order exactly once, even if called again after a crash. Returns null if the balance is insufficient. */
export async function payOut(client: Client, order: Order): Promise<Payout | null> {
  const { walletId, currencyId, amount, address, trackingId, key } = order;
  const wallet = { type: "wallet", id: walletId } as const;
  const currency = { type: "currency", id: currencyId } as const;
  try {
    const { data: quote } = await client.post("/payout/calculate/", {
      attributes: { amount, to_address: address },
      relationships: { wallet, currency },
    });
    const { data: payout } = await client.post("/payout/", {
      idempotencyKey: key,
      isResumed: true,
      attributes: {
        amount,
        address,
        fee_amount: quote.attributes.fee.medium,
        tracking_id: trackingId,
        travel_rule_info: {
          beneficiary: {
            beneficiaryPersons: [
              {
                naturalPerson: {
                  name: [
                    { nameIdentifier: [{ primaryIdentifier: "Doe", secondaryIdentifier: "Jo" }] },
                  ],
                  geographicAddress: [
                    { country: "DE", addressLine: ["Unter den Linden 1"], addressType: "HOME" },
                  ],
                },
              },
            ],
          },
        },
      },
      relationships: { wallet, currency },
    });
    return payout;
  } catch (error) {
    if (error instanceof SluiceError && error.code === "4008") return null;
    throw error;
  }
}
