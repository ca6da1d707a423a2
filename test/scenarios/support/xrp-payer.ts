import { expect } from "vitest";
import { Client, type Payment, type SubmittableTransaction, Wallet } from "xrpl";
import type { XrplSite } from "../../../src/sandbox/sandbox-file.ts";
import type { TestSite } from "./test-site.ts";

/** A payer with the chain's own SDK, who finds everything in `sandbox.json`. */
export type XrpPayer = {
  readonly client: Client;
  readonly faucet: Wallet;
  /** Sends by the SDK's own means, closes the ledger, and fails unless the transaction gets the result; resolves with its id. */
  readonly send: (
    transaction: SubmittableTransaction,
    wallet?: Wallet,
    result?: string,
  ) => Promise<string>;
  /** A payment of drops from the faucet. */
  readonly payment: (to: string, drops: string, more?: Partial<Payment>) => Payment;
  readonly newAccount: (drops?: string) => Promise<Wallet>;
  readonly close: () => Promise<void>;
};

export async function openXrpPayer(chain: XrplSite, site: TestSite): Promise<XrpPayer> {
  const client = new Client(chain.ws_url);
  await client.connect();
  const faucet = Wallet.fromSeed(chain.faucet_seed);
  const send: XrpPayer["send"] = async (transaction, wallet = faucet, expected = "tesSUCCESS") => {
    const signed = wallet.sign(await client.autofill(transaction));
    const { result } = await client.submit(signed.tx_blob);
    expect(result.engine_result).toBe(expected);
    await site.onChain("XRP", (control) => control.mine(1));
    return signed.hash;
  };
  const payment: XrpPayer["payment"] = (Destination, Amount, more = {}) => ({
    TransactionType: "Payment",
    Account: faucet.address,
    Destination,
    Amount,
    ...more,
  });
  return {
    client,
    faucet,
    send,
    payment,
    newAccount: async (drops = "50000000") => {
      const wallet = Wallet.generate();
      await send(payment(wallet.address, drops));
      return wallet;
    },
    close: () => client.disconnect(),
  };
}
