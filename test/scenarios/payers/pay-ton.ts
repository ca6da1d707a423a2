import { Address } from "@ton/core";
import { present } from "../../../src/platform/kernel/assert.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import type { TonSite } from "../../../src/sandbox/sandbox-file.ts";
import { unitsOf } from "../support/money.ts";
import { openTonPayer } from "../support/ton-payer.ts";
import type { OpenThirdParty } from "./third-party.ts";

/** Pays with @ton/ton. */
export const payTon: OpenThirdParty<TonSite> = (chain, reached, site) => {
  const payer = openTonPayer(reached, site);
  return {
    pay: async (alpha, { address, tag }, amount) => {
      const text = present(tag, "a comment");
      if (alpha === chain) await payer.pay(address, amount, text);
      else await payer.payDollars(address, unitsOf(amount, alpha), text);
    },
    // An account without a contract.
    receiver: (alpha) => {
      const address = new Address(0, Buffer.from(systemRandom.bytes(32)));
      const held = async (): Promise<bigint> => {
        await payer.settle();
        return alpha === chain ? await payer.balance(address) : await payer.dollarsOf(address);
      };
      return Promise.resolve({ address: address.toString(), held });
    },
    close: () => Promise.resolve(),
  };
};
