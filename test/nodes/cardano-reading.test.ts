import csl from "@emurgo/cardano-serialization-lib-nodejs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Transfer } from "../../src/chains/port.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import {
  addressOfScript,
  bigNum,
  type Coin,
  coinsOf,
  idOf,
  inputOf,
  readAddress,
  scripts,
  signed,
  spendScript,
  takenCollateral,
  valueOf,
} from "../support/build-cardano.ts";
import { openCardanoAdapter, testKeys } from "../support/cardano-site.ts";
import { type PrivateCardano, startPrivateCardano } from "../support/private-cardano.ts";

/*
 * What is unusual about outputs, read by the adapter from the simulated network: data and scripts beside the value, outputs that a script
 * guards, and transactions whose script failed. The wallets' library builds the transactions.
 */

const { signal } = new AbortController();
const { accountKey } = testKeys(4);
const fee = 1_000_000n;
let network: PrivateCardano;
let site: ReturnType<typeof openCardanoAdapter>;
let costModel: readonly number[];

beforeAll(async () => {
  network = await startPrivateCardano();
  site = openCardanoAdapter({ accountKey, urls: [network.cardano.ogmiosUrl] });
  const parameters = (await network.result("queryLedgerState/protocolParameters")) as {
    readonly plutusCostModels: Readonly<Record<string, readonly number[]>>;
  };
  costModel = present(parameters.plutusCostModels["plutus:v3"], "the costs of version 3");
});
afterAll(async () => {
  await site.node.close();
  await network.stop();
});

const depositAt = (index: number): string => site.adapter.addressing.depositAt(index, null).address;
const keyOf = (address: string): string =>
  site.adapter.addressing.watchKey({ address, addressType: null, tag: null });

async function faucetCoin(): Promise<Coin> {
  const coins = await coinsOf(network, network.faucetAddress);
  return present(
    coins.find(({ tokens = {} }) => Object.keys(tokens).length === 0),
    "a coin of the faucet",
  );
}

/** Pays one output, which `change` alters, and resolves with the transaction's id. */
async function pay(
  address: string,
  lovelace: bigint,
  change: (output: csl.TransactionOutput) => void,
): Promise<string> {
  const coin = await faucetCoin();
  const inputs = csl.TransactionInputs.new();
  inputs.add(inputOf(coin));
  const output = csl.TransactionOutput.new(readAddress(address), valueOf({ lovelace }));
  change(output);
  const outputs = csl.TransactionOutputs.new();
  outputs.add(output);
  const rest = valueOf({ lovelace: coin.lovelace - lovelace - fee });
  outputs.add(csl.TransactionOutput.new(readAddress(network.faucetAddress), rest));
  const body = csl.TransactionBody.new_tx_body(inputs, outputs, bigNum(fee));
  return await submit(signed(body, network.faucet));
}

async function submit(raw: Uint8Array): Promise<string> {
  const { error } = await network.submit(raw);
  if (error !== undefined) throw new Error(`${error.code} ${error.message}`);
  await network.mine();
  return idOf(raw);
}

/** What the newest block moves to an address. */
async function movedTo(address: string): Promise<readonly Transfer[]> {
  const { adapter } = site;
  const block = await adapter.reader.readBlock(await adapter.reader.tip(signal), signal);
  const key = keyOf(address);
  return present(block, "the newest block").transfers.filter(({ to }) => to === key);
}

describe("an output to a deposit", () => {
  it.each([
    [
      "with a datum",
      (output: csl.TransactionOutput) => {
        output.set_plutus_data(csl.PlutusData.new_integer(csl.BigInt.from_str("42")));
      },
    ],
    [
      "with the hash of a datum",
      (output: csl.TransactionOutput) => {
        output.set_data_hash(csl.DataHash.from_hex("ab".repeat(32)));
      },
    ],
    [
      "with a script",
      (output: csl.TransactionOutput) => {
        output.set_script_ref(csl.ScriptRef.new_plutus_script(scripts.alwaysSucceeds));
      },
    ],
  ])("%s is read like others", async (_name, change) => {
    const txid = await pay(depositAt(1), 5_000_000n, change);
    expect(await movedTo(depositAt(1))).toMatchObject([
      { key: { txid, index: 0 }, asset: { amount: { units: 5_000_000n } } },
    ]);
  });

  it("that a script guards is no deposit's", async () => {
    const guarded = addressOfScript(scripts.alwaysSucceeds);
    await pay(guarded, 5_000_000n, (output) => {
      output.set_plutus_data(csl.PlutusData.new_integer(csl.BigInt.from_str("0")));
    });
    expect(await movedTo(guarded)).toHaveLength(1);
    expect(await movedTo(depositAt(1))).toEqual([]);
  });
});

describe("a transaction whose script failed", () => {
  it("brings what is left of the collateral, and none of its outputs", async () => {
    const script = scripts.alwaysFails;
    const [locked] = await coinsOf(network, addressOfScript(script));
    const collateral = await faucetCoin();
    const txid = await submit(
      spendScript({
        locked: present(locked, "an output of the script"),
        script,
        collateral,
        key: network.faucet,
        to: depositAt(2),
        collateralReturn: depositAt(3),
        isValid: false,
        costModel,
      }),
    );
    expect(await movedTo(depositAt(2))).toEqual([]);
    expect(await movedTo(depositAt(3))).toMatchObject([
      {
        key: { txid, index: 1 },
        asset: { amount: { units: collateral.lovelace - takenCollateral } },
      },
    ]);
  });
});
