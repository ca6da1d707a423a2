import type { JsonObject } from "../../../src/platform/kernel/json.ts";
import type { MoneroSite } from "../../../src/sandbox/sandbox-file.ts";
import { queryMonero } from "../../support/query-monero.ts";
import { unitsOf } from "../support/money.ts";
import type { OpenThirdParty } from "./third-party.ts";

/** Pays with Monero's own wallet. Receivers are other accounts of it. */
export const payMonero: OpenThirdParty<MoneroSite> = (_chain, { faucet_wallet_url }) => {
  const wallet = <Result>(method: string, params: JsonObject = {}): Promise<Result> =>
    queryMonero<Result>(faucet_wallet_url, method, params);
  return {
    pay: async (alpha, { address }, amount) => {
      await wallet("refresh");
      const destinations = [{ address, amount: Number(unitsOf(amount, alpha)) }];
      await wallet("transfer", { destinations });
    },
    receiver: async () => {
      const { account_index, address } = await wallet<{
        readonly account_index: number;
        readonly address: string;
      }>("create_account");
      const held = async (): Promise<bigint> => {
        await wallet("refresh");
        const { balance } = await wallet<{ readonly balance: number }>("get_balance", {
          account_index,
        });
        return BigInt(balance);
      };
      return { address, held };
    },
    close: () => Promise.resolve(),
  };
};
