import type { Client } from "sluice-client";
import type { Deposit } from "sluice-client/api-types";

/**
 * An invoice of 100 dollars, to be paid in ether within a quarter of an hour. What the payer is to be shown comes back: the
 * address and the amount, and the link of a page that shows both.
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
