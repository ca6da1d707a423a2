import type { Client } from "sluice-client";
import type { Deposit } from "sluice-client/api-types";

/**
 * Creates an invoice over 100 USD, payable in ETH within 15 minutes. Show the payer the address and amount of the returned deposit, or
 * its payment page.
 */
export async function takePayment(client: Client, orderId: string): Promise<Deposit> {
  const [wallet] = (await client.list("/wallet/", { filter: { type: 1 } })).data;
  if (wallet === undefined) throw new Error("this account has no Merchant wallet");
  const { data: deposit } = await client.post("/deposit/", {
    attributes: {
      tracking_id: orderId,
      target_amount_requested: "100.00",
      time_limit: 900,
    },
    relationships: { wallet, currency: { type: "currency", id: "1002" } },
  });
  return deposit;
}
