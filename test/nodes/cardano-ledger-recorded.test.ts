import csl from "@emurgo/cardano-serialization-lib-nodejs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import recorded from "../recorded/ogmios-refusals.json" with { type: "json" };
import {
  addressOfScript,
  build,
  type Coin,
  coinsOf,
  type Draft,
  scripts,
  spendScript,
} from "../support/build-cardano.ts";
import {
  addressOfKey,
  type PrivateCardano,
  startPrivateCardano,
} from "../support/private-cardano.ts";

/* The same faults as on a real devnet, whose refusals by a real Ogmios are recorded: the code and every member of the data are the same. */

let chain: PrivateCardano;
beforeAll(async () => {
  chain = await startPrivateCardano();
});
afterAll(async () => {
  await chain.stop();
});

const receiver = addressOfKey(csl.PrivateKey.generate_ed25519());

async function draft(change: Partial<Draft>): Promise<Uint8Array> {
  const inputs = [await coin()];
  const outputs = [[receiver, { lovelace: 2_000_000n }]] as const;
  return build({ inputs, outputs, key: chain.faucet, ...change });
}

async function coin(): Promise<Coin> {
  const coins = await coinsOf(chain, chain.faucetAddress);
  return present(
    coins.find(({ tokens = {} }) => Object.keys(tokens).length === 0),
    "a coin",
  );
}

/** The address of a real devnet's output, of the same size. */
const baseAddress =
  "addr_test1qz8u82nz0pdydcxcxpljqv4eyldgus88s87lnljfh2pzsgr6nfmk862zd6wpf64vt4gklza3skl3j67yv7sjm2q2w89s395hqm";
const mainnetAddress =
  "addr1q9ma5q47qqjyj3555fkavdj3x98xp6u3tslngvwk8c8kxqz3n89nypu7zcpuh68wcd5jptznzn3tpadjch0ymqaw9czs5yaqlk";

const faults: Readonly<Record<number, () => Promise<Uint8Array>>> = {
  3100: async () => {
    const transaction = await draft({});
    const at = Buffer.from(transaction).lastIndexOf(Buffer.from("5840", "hex")) + 5;
    transaction[at] = (transaction[at] ?? 0) ^ 1;
    return transaction;
  },
  3101: () => draft({ key: csl.PrivateKey.generate_ed25519() }),
  3117: async () => {
    const unknown = { ...(await coin()), txid: "4c".repeat(32), index: 0 };
    return await draft({ inputs: [await coin(), unknown] });
  },
  3118: () => draft({ invalidAfter: 1 }),
  3122: () => draft({ fee: 1_000n }),
  3123: async () => {
    const own = await coin();
    const outputs = [[receiver, { lovelace: own.lovelace + 5_000_000n }]] as const;
    return await draft({ inputs: [own], outputs, change: "none", fee: 200_000n });
  },
  3124: () => draft({ outputs: [[mainnetAddress, { lovelace: 2_000_000n }]] }),
  3125: () => draft({ outputs: [[baseAddress, { lovelace: 1_000n }]] }),
  3136: async () => {
    const [locked] = await coinsOf(chain, addressOfScript(scripts.alwaysFails));
    const { plutusCostModels } = (await chain.result("queryLedgerState/protocolParameters")) as {
      readonly plutusCostModels: Readonly<Record<string, readonly number[]>>;
    };
    return spendScript({
      locked: present(locked, "an output of the script"),
      script: scripts.alwaysFails,
      collateral: await coin(),
      key: chain.faucet,
      to: receiver,
      collateralReturn: receiver,
      isValid: true,
      costModel: present(plutusCostModels["plutus:v3"], "the costs of version 3"),
    });
  },
  3997: async () => {
    const transaction = await draft({});
    await chain.submit(transaction);
    await chain.mine();
    return transaction;
  },
};

/** Where values are, with numbers and digests replaced by their types. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, shapeOf(member)]),
    );
  return typeof value === "string" && !/^[0-9a-f]{56,64}$/.test(value) ? value : typeof value;
}

describe("a refusal that a real Ogmios was recorded with", () => {
  it.each(recorded.refusals)("has the same code and data: $code", async ({ code, data }) => {
    const fault = present(faults[code], `a fault for ${code}`);
    const { error } = await chain.submit(await fault());
    expect(error?.code).toBe(code);
    expect(shapeOf(error?.data)).toEqual(shapeOf(data));
  });

  it("has the least value of an output to the lovelace", async () => {
    const { error } = await chain.submit(await present(faults[3125], "a fault")());
    const refusal = recorded.refusals.find(({ code }) => code === 3125);
    expect(error?.data).toEqual(refusal?.data);
  });
});
