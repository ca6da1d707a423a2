import type { XrplSite } from "../../../src/sandbox/sandbox-file.ts";
import { unitsOf } from "../support/money.ts";
import { openXrpPayer } from "../support/xrp-payer.ts";
import type { OpenThirdParty } from "./third-party.ts";

/** Pays with xrpl.js. */
export const payXrpl: OpenThirdParty<XrplSite> = async (_chain, reached, site) => {
  const { client, close, newAccount, payment, send } = await openXrpPayer(reached, site);
  return {
    // An X-address contains the tag.
    pay: async (alpha, { address }, amount) => {
      await send(payment(address, unitsOf(amount, alpha).toString()));
    },
    receiver: async () => {
      const { address } = await newAccount();
      const held = async (): Promise<bigint> => {
        const { result } = await client.request({
          command: "account_info",
          account: address,
          ledger_index: "validated",
        });
        return BigInt(result.account_data.Balance);
      };
      return { address, held };
    },
    close,
  };
};
