import csl from "@emurgo/cardano-serialization-lib-nodejs";
import { present } from "../../../src/platform/kernel/assert.ts";
import type { CardanoSite } from "../../../src/sandbox/sandbox-file.ts";
import { build, coinsOf } from "../../support/build-cardano.ts";
import { addressOfKey } from "../../support/private-cardano.ts";
import { cardanoUnits } from "../../support/query-cardano.ts";
import { unitsOf } from "../support/money.ts";
import type { OpenThirdParty } from "./third-party.ts";

/** Beside the amount: the fee, and what its own change has to hold. */
const lovelaceBeside = 10_000_000n;

/** Pays with the serialization library of Cardano's wallets. */
export const payCardano: OpenThirdParty<CardanoSite> = (_chain, reached) => {
  const faucet = csl.PrivateKey.from_bech32(reached.faucet_private_key);
  const result = async (method: string, params: object = {}): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: "2.0", method, params, id: 1 });
    const response = await fetch(reached.ogmios_url, { method: "POST", body });
    const answer = (await response.json()) as {
      readonly result?: unknown;
      readonly error?: object;
    };
    if (answer.error !== undefined) throw new Error(JSON.stringify(answer.error));
    return answer.result;
  };
  return {
    pay: async (alpha, { address }, amount) => {
      const lovelace = unitsOf(amount, alpha);
      const coins = await coinsOf({ result }, addressOfKey(faucet));
      const coin = coins.find(
        (one) =>
          Object.keys(one.tokens ?? {}).length === 0 && one.lovelace > lovelace + lovelaceBeside,
      );
      const raw = build({
        inputs: [present(coin, "a coin of the faucet")],
        outputs: [[address, { lovelace }]],
        key: faucet,
      });
      const cbor = Buffer.from(raw).toString("hex");
      await result("submitTransaction", { transaction: { cbor } });
    },
    receiver: () => {
      const address = addressOfKey(csl.PrivateKey.generate_ed25519());
      return Promise.resolve({ address, held: () => cardanoUnits(reached, [address]) });
    },
    close: () => Promise.resolve(),
  };
};
